// A vector beside many others: products and lengths, for cosines.
#pragma once

#include <cstdint>
#include <span>

namespace elmo {

/// products[r] = Σ_i vector[i] · row_r[i] and scales[r] = 1 / √(Σ_i row_r[i]²), 0 where that sum is
/// 0. Row r has its vector.size() numbers from values + r · stride on; `products` and `scales` have
/// an element for each row. Any thread.
void row_products(std::span<const float> vector, const float* values, std::int64_t stride,
                  std::span<float> products, std::span<float> scales);

/// The same of rows of float16.
void row_products(std::span<const float> vector, const std::uint16_t* values, std::int64_t stride,
                  std::span<float> products, std::span<float> scales);

}  // namespace elmo
