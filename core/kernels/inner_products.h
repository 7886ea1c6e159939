// Inner products of a vector with many others, and their lengths, for cosine similarity.
#pragma once

#include <cstdint>
#include <span>

namespace elmo {

/// Computes products[r] = Σ_i vector[i] · row_r[i] and scales[r] = 1 / √(Σ_i row_r[i]²), or 0 if
/// that sum is 0. Row r is vector.size() values from values + r · stride on. `products` and
/// `scales` have one element per row. Any thread.
void row_products(std::span<const float> vector, const float* values, std::int64_t stride,
                  std::span<float> products, std::span<float> scales);

/// As above for float16 rows.
void row_products(std::span<const float> vector, const std::uint16_t* values, std::int64_t stride,
                  std::span<float> products, std::span<float> scales);

}  // namespace elmo
