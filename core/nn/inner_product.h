// Σ a_i·b_i of two rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace elmo {

/// Sums side by side, which a compiler makes vectors of, then those. `a` and `b` [size]. Any
/// thread.
inline double inner_product(const float* a, const float* b, std::int64_t size) {
  constexpr std::int64_t kSums = 16;
  std::array<float, kSums> sums{};
  std::int64_t i = 0;
  for (; i + kSums <= size; i += kSums) {
    for (std::int64_t lane = 0; lane < kSums; ++lane) {
      sums[static_cast<std::size_t>(lane)] += a[i + lane] * b[i + lane];
    }
  }
  double sum = 0.0;
  for (const float part : sums) sum += part;
  for (; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace elmo
