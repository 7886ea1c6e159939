#include "core/nn/span_attention.h"

#include <algorithm>

#include "core/kernels/softmax.h"

namespace elmo {

void SpanAttention::forward(std::span<const float> scores, std::span<const RowSpan> spans) {
  spans_ = spans;
  firsts_.clear();
  std::int64_t size = 0;
  for (const RowSpan& span : spans) {
    firsts_.push_back(size);
    size += span.size();
  }
  shares_.resize(static_cast<std::size_t>(size));
  share_gradients_.assign(static_cast<std::size_t>(size), 0.0F);
  for (std::size_t n = 0; n < spans.size(); ++n) {
    float* shares = shares_.data() + firsts_[n];
    std::copy_n(scores.data() + spans[n].begin, spans[n].size(), shares);
    softmax_rows(shares, 1, spans[n].size(), spans[n].size());
  }
}

void SpanAttention::add_sums(const Matrix& rows, Matrix& to, std::int64_t column) const {
  for (std::size_t n = 0; n < spans_.size(); ++n) {
    const float* share = shares_.data() + firsts_[n];
    float* sum = to.row(static_cast<std::int64_t>(n)) + column;
    for (std::int64_t row = spans_[n].begin; row < spans_[n].end; ++row, ++share) {
      const float* from = rows.row(row);
      for (std::int64_t c = 0; c < rows.columns; ++c) sum[c] += *share * from[c];
    }
  }
}

void SpanAttention::backward_sums(const Matrix& rows, const Matrix& gradient, std::int64_t column,
                                  Matrix& row_gradient) {
  for (std::size_t n = 0; n < spans_.size(); ++n) {
    const float* of_sum = gradient.row(static_cast<std::int64_t>(n)) + column;
    for (std::int64_t t = 0; t < spans_[n].size(); ++t) {
      const float share = shares_[static_cast<std::size_t>(firsts_[n] + t)];
      const float* from = rows.row(spans_[n].begin + t);
      float* to = row_gradient.row(spans_[n].begin + t);
      float product = 0.0F;
      for (std::int64_t c = 0; c < rows.columns; ++c) {
        product += of_sum[c] * from[c];
        to[c] += share * of_sum[c];
      }
      share_gradients_[static_cast<std::size_t>(firsts_[n] + t)] += product;
    }
  }
}

void SpanAttention::backward(std::span<float> score_gradient) {
  for (std::size_t n = 0; n < spans_.size(); ++n) {
    const std::int64_t size = spans_[n].size();
    float* gradient = share_gradients_.data() + firsts_[n];
    softmax_rows_backward(shares_.data() + firsts_[n], 1, size, size, gradient);
    for (std::int64_t t = 0; t < size; ++t) {
      score_gradient[static_cast<std::size_t>(spans_[n].begin + t)] += gradient[t];
    }
  }
}

}  // namespace elmo
