// The attention-weighted head vector of a span of rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/matrix.h"
#include "core/nn/layer.h"

namespace elmo {

/// Rows `begin` to `end` (exclusive), at least one.
struct RowSpan {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t size() const { return end - begin; }
  // clang-tidy 14 mistakes a zero in the generated code for a null pointer.
  auto operator<=>(const RowSpan&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// Σ_t a_t r_t over the rows of each span, where a is the softmax of the rows' scores over the span
/// (Lee et al. 2017, equations 4 to 6). Spans may overlap. Not for two threads at once.
class SpanAttention {
 public:
  /// Computes the attention weights from `scores` [rows] and sets their gradients to zero. `scores`
  /// and `spans` must not change until backward.
  void forward(std::span<const float> scores, std::span<const RowSpan> spans);

  /// Adds the weighted sum of `rows` over span n to row n of `to` [spans, ..], from column `column`
  /// on.
  void add_sums(const Matrix& rows, Matrix& to, std::int64_t column) const;

  /// `gradient`: as `to` in add_sums. Adds to `row_gradient` and to the gradients of the attention
  /// weights. May be called several times.
  void backward_sums(const Matrix& rows, const Matrix& gradient, std::int64_t column,
                     Matrix& row_gradient);

  /// Adds to the gradient with respect to the scores [rows]. Call after backward_sums().
  void backward(std::span<float> score_gradient);

 private:
  std::span<const RowSpan> spans_;
  std::vector<std::int64_t> firsts_;      // [spans], index of each span's first element in the
                                          // arrays below
  AlignedVector<float> shares_;           // weights of each span's rows, one span after another
  AlignedVector<float> share_gradients_;  // gradients of shares_
};

}  // namespace elmo
