// Dropout within task models.
#pragma once

#include <cstdint>

#include "core/nn/layer.h"
#include "core/parallel/workers.h"

namespace elmo {

/// Drops numbers of all rows with probability `rate`, in place; nothing unless options.training.
/// Masks are a function of seed, step, `place` and where a number stands. Applied to a gradient it
/// is its own gradient.
void drop(const PassOptions& options, float rate, std::uint32_t place, Workers& workers,
          Matrix& values);

/// What numbers are multiplied by that drop() keeps.
float kept_factor(const PassOptions& options, float rate);

/// drop() for some columns.
void drop_columns(const PassOptions& options, float rate, std::uint32_t place, Matrix& values,
                  std::int64_t column, std::int64_t columns);

}  // namespace elmo
