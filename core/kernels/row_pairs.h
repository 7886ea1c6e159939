// A row beside several others: products number by number, and their gradients.
#pragma once

#include <cstdint>

namespace elmo {

/// Row a beside rows b_n = rows[others[n]], all of `size` numbers. No two of `others` are the same.
struct RowPairs {
  std::int64_t size = 0;
  std::int64_t count = 0;
  const float* a = nullptr;
  const float* rows = nullptr;           ///< [.., size]
  const std::int32_t* others = nullptr;  ///< [count]
};

/// to [count, size] = a ⊙ b_n. Any thread.
void row_pair_products(const RowPairs& pairs, float* to);

/// The gradients of a loss that depends on a ⊙ b_n and on c · b_n. All are added to; those of a and
/// of c must not be among those of the rows.
struct RowPairGradient {
  RowPairs pairs;
  const float* c = nullptr;                 ///< [size]
  const float* product_gradient = nullptr;  ///< [count, size] with respect to a ⊙ b_n
  const float* slopes = nullptr;            ///< [count] with respect to c · b_n
  float* a_gradient = nullptr;              ///< [size]
  float* c_gradient = nullptr;              ///< [size]
  float* row_gradient = nullptr;            ///< [.., size] as `rows`
};
/// Any thread.
void row_pair_backward(const RowPairGradient& gradient);

}  // namespace elmo
