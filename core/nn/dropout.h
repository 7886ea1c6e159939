// Dropout within task models.
#pragma once

#include <cstdint>

#include "core/nn/layer.h"
#include "core/workers.h"

namespace elmo {

/// Drops each value with probability `rate`, in place. Does nothing unless options.training. The
/// mask is a function of seed, step, `place` (the id of the mask) and the value's position. To get
/// the gradient, apply drop() to the gradient of the outputs.
void drop(const PassOptions& options, float rate, std::uint32_t place, Workers& workers,
          Matrix& values);

/// The factor by which drop() multiplies the values that it keeps.
float kept_factor(const PassOptions& options, float rate);

/// drop() for columns [column, column + columns).
void drop_columns(const PassOptions& options, float rate, std::uint32_t place, Matrix& values,
                  std::int64_t column, std::int64_t columns);

}  // namespace elmo
