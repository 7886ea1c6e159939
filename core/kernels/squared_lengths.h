// Lengths of vectors, for cosines.
#pragma once

#include <cstdint>
#include <span>

namespace elmo {

/// lengths[r] = Σ_i values[r · stride + i]² over the first `width` numbers of each row. Any thread.
void squared_lengths(const float* values, std::int64_t stride, std::int64_t width,
                     std::span<float> lengths);

}  // namespace elmo
