// Elementwise products of a row with several others, and their gradients.
#pragma once

#include <cstdint>

namespace elmo {

/// A row a and rows b_n = rows[others[n]], all of `size` values. The elements of `others` are
/// distinct.
struct RowPairs {
  std::int64_t size = 0;
  std::int64_t count = 0;
  const float* a = nullptr;
  const float* rows = nullptr;           ///< [.., size]
  const std::int32_t* others = nullptr;  ///< [count]
};

/// Computes to [count, size] = a ⊙ b_n. Any thread.
void row_pair_products(const RowPairs& pairs, float* to);

/// Arguments for the gradients of a loss that depends on a ⊙ b_n and on c · b_n. All gradients are
/// added to. a_gradient and c_gradient must not overlap row_gradient.
struct RowPairGradient {
  RowPairs pairs;
  const float* c = nullptr;                 ///< [size]
  const float* product_gradient = nullptr;  ///< [count, size], with respect to a ⊙ b_n
  const float* slopes = nullptr;            ///< [count], with respect to c · b_n
  float* a_gradient = nullptr;              ///< [size]
  float* c_gradient = nullptr;              ///< [size]
  float* row_gradient = nullptr;            ///< [.., size], as `rows`
};
/// Any thread.
void row_pair_backward(const RowPairGradient& gradient);

}  // namespace elmo
