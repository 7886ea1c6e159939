// What stands at the head of a span of rows, as attention finds it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/nn/layer.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// Rows `begin` to `end` (exclusive), at least one.
struct RowSpan {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t size() const { return end - begin; }
  // clang-tidy 14 takes the zero in what the compiler writes for a null pointer.
  auto operator<=>(const RowSpan&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// Σ_t a_t r_t over the rows of each span, with a = softmax over the span of a score of each row
/// (Lee et al. 2017, equations 4 to 6). Spans may overlap. Not for two threads at once.
class SpanAttention {
 public:
  /// `scores` [rows] of all rows; both they and `spans` have to stay as they are until backward.
  /// Gradients of the shares begin at zero.
  void forward(std::span<const float> scores, std::span<const RowSpan> spans);

  /// Columns `column` … of row n of `to` [spans, ..] += the sum over span n of `rows`.
  void add_sums(const Matrix& rows, Matrix& to, std::int64_t column) const;

  /// `gradient` as `to` in add_sums: adds to the gradient of `rows`, and keeps that of the shares,
  /// which several calls add to.
  void backward_sums(const Matrix& rows, const Matrix& gradient, std::int64_t column,
                     Matrix& row_gradient);

  /// Adds to the gradient with respect to the scores [rows].
  void backward(std::span<float> score_gradient);

 private:
  std::span<const RowSpan> spans_;
  std::vector<std::int64_t> firsts_;      // [spans], of what follows
  AlignedVector<float> shares_;           // of each span's rows, one span after another
  AlignedVector<float> share_gradients_;  // likewise
};

}  // namespace elmo
