// Products of rows: elementwise products and their gradients for BiDAF's attention (Seo et al.
// 2017), the gradient of the products of one row with several others, and inner products for cosine
// similarity.
#pragma once

#include <cstdint>
#include <span>

namespace elmo {

/// Attending rows c and their attended vectors a, both [rows, columns] without gaps, and a vector h
/// [columns] common to all rows, which may be null.
struct FoundRows {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  const float* c = nullptr;
  const float* a = nullptr;
  const float* h = nullptr;
};

/// Computes to [rows, 4 · columns] = [c; a; c ⊙ a; c ⊙ h] of each row; without h, [c; a; c ⊙ a],
/// [rows, 3 · columns]. Any thread.
void join_found(const FoundRows& found, float* to);

/// The gradient of join_found. `gradient` has the shape of its `to`. Replaces `to_c` and `to_a`,
/// and adds to `to_h`, the gradients with respect to c, a and h. Any thread.
void join_found_backward(const FoundRows& found, const float* gradient, float* to_c, float* to_a,
                         float* to_h);

/// Computes to [rows, columns] = w3 ⊙ c + w2 for each row c; w2 and w3 are [columns]. Any thread.
void weigh_rows(const float* c, std::int64_t rows, std::int64_t columns, const float* w2,
                const float* w3, float* to);

/// Arguments for the gradient of s_j = (w3 ⊙ c + w2)·q_j + w1·c for some rows c. All arrays are
/// [rows, columns] or [columns] unless noted.
struct WeighedRowsGradient {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  const float* c = nullptr;
  const float* gradient = nullptr;  ///< gradient of w3 ⊙ c + w2
  const float* sums = nullptr;      ///< [rows], gradients of w1·c; null without w1
  const float* w1 = nullptr;        ///< null without w1
  const float* w3 = nullptr;
  float* to_c = nullptr;   ///< added to, like all outputs below
  float* to_w1 = nullptr;  ///< null without w1
  float* to_w2 = nullptr;
  float* to_w3 = nullptr;
};
void weigh_rows_backward(const WeighedRowsGradient& task);

/// A row a and rows b_n = rows[others[n]], all of `size` values. The elements of `others` are
/// distinct.
struct RowPairs {
  std::int64_t size = 0;
  std::int64_t count = 0;
  const float* a = nullptr;
  const float* rows = nullptr;           ///< [.., size]
  const std::int32_t* others = nullptr;  ///< [count]
};

/// Arguments for the gradients of a loss that depends on a ⊙ b_n and on c · b_n. All gradients are
/// added to. a_gradient and c_gradient must not overlap row_gradient.
struct RowPairGradient {
  RowPairs pairs;
  const float* c = nullptr;                 ///< [size]
  const float* product_gradient = nullptr;  ///< [count, size], gradients of a ⊙ b_n
  const float* slopes = nullptr;            ///< [count], gradients of c · b_n
  float* a_gradient = nullptr;              ///< [size]
  float* c_gradient = nullptr;              ///< [size]
  float* row_gradient = nullptr;            ///< [.., size], as `rows`
};
/// Any thread.
void row_pair_backward(const RowPairGradient& gradient);

/// Computes products[r] = Σ_i vector[i] · row_r[i] and scales[r] = 1 / √(Σ_i row_r[i]²), or 0 if
/// that sum is 0. Row r is vector.size() values from values + r · stride on. `products` and
/// `scales` have one element per row, which other rows do not change. Any thread.
void inner_products(std::span<const float> vector, const float* values, std::int64_t stride,
                    std::span<float> products, std::span<float> scales);

/// The same for float16 rows.
void inner_products(std::span<const float> vector, const std::uint16_t* values, std::int64_t stride,
                    std::span<float> products, std::span<float> scales);

}  // namespace elmo
