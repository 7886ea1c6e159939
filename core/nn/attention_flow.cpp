#include "core/nn/attention_flow.h"

#include <algorithm>
#include <numeric>

#include "core/kernels/row_softmax.h"
#include "core/kernels/sgemm.h"

namespace elmo {

void BidirectionalAttention::forward(const Matrix& contexts, const Sequences& context_sequences,
                                     const Matrix& questions, const Sequences& question_sequences,
                                     std::span<const std::int64_t> question_of, Workers& workers,
                                     Matrix& to) {
  contexts_ = &contexts;
  questions_ = &questions;
  sequences_ = &context_sequences;
  attention_.forward(contexts, context_sequences, questions, question_sequences, question_of,
                     workers, attended_);
  shares_.assign(attention_.maxima().begin(), attention_.maxima().end());
  summaries_.resize(context_sequences.count(), columns_);
  to.resize(contexts.rows, outputs());
  workers.run(static_cast<std::size_t>(context_sequences.count()), [&](std::size_t job) {
    const auto b = static_cast<std::int64_t>(job);
    const std::int64_t begin = context_sequences.begin(b);
    const std::int64_t length = context_sequences.length(b);
    float* shares = shares_.data() + begin;
    float* h = summaries_.row(b);
    softmax_rows(shares, 1, length, length);
    multiply({shares, length}, {contexts.row(begin), columns_}, 1, columns_, length, h, columns_,
             Result::replaced);
    for (std::int64_t row = begin; row < begin + length; ++row) {
      const float* c = contexts.row(row);
      const float* a = attended_.row(row);
      float* out = to.row(row);
      for (std::int64_t i = 0; i < columns_; ++i) {
        out[i] = c[i];
        out[columns_ + i] = a[i];
        out[2 * columns_ + i] = c[i] * a[i];
        out[3 * columns_ + i] = c[i] * h[i];
      }
    }
  });
}

void BidirectionalAttention::backward(const Matrix& gradient, Workers& workers,
                                      Matrix& context_gradient, Matrix& question_gradient) {
  context_gradient.resize(contexts_->rows, columns_);
  question_gradient.resize(questions_->rows, columns_);
  attended_gradient_.resize(contexts_->rows, columns_);
  maxima_gradient_.resize(shares_.size());
  workers.run(static_cast<std::size_t>(sequences_->count()), [&](std::size_t job) {
    const auto b = static_cast<std::int64_t>(job);
    const std::int64_t begin = sequences_->begin(b);
    const std::int64_t length = sequences_->length(b);
    const float* h = summaries_.row(b);
    AlignedVector<float> summary_gradient(static_cast<std::size_t>(columns_), 0.0F);
    for (std::int64_t row = begin; row < begin + length; ++row) {
      const float* c = contexts_->row(row);
      const float* a = attended_.row(row);
      const float* of_c = gradient.row(row);
      const float* of_a = of_c + columns_;
      const float* of_ca = of_a + columns_;
      const float* of_ch = of_ca + columns_;
      float* to_c = context_gradient.row(row);
      float* to_a = attended_gradient_.row(row);
      float* to_h = summary_gradient.data();
      for (std::int64_t i = 0; i < columns_; ++i) {
        to_c[i] = of_c[i] + of_ca[i] * a[i] + of_ch[i] * h[i];
        to_a[i] = of_a[i] + of_ca[i] * c[i];
        to_h[i] += of_ch[i] * c[i];
      }
    }
    const float* shares = shares_.data() + begin;
    float* to_maxima = maxima_gradient_.data() + begin;  // of the shares first
    multiply({contexts_->row(begin), columns_}, {summary_gradient.data(), 1}, length, 1, columns_,
             to_maxima, 1, Result::replaced);
    softmax_rows_backward(shares, 1, length, length, to_maxima);
    multiply({shares, 1}, {summary_gradient.data(), columns_}, length, columns_, 1,
             context_gradient.row(begin), columns_, Result::added);
  });
  attention_.backward(attended_gradient_, maxima_gradient_, workers, context_gradient,
                      question_gradient);
}

void SelfAttention::forward(const Matrix& rows, const Sequences& sequences, Workers& workers,
                            Matrix& to) {
  rows_ = &rows;
  sequences_ = &sequences;
  std::vector<std::int64_t> own(static_cast<std::size_t>(sequences.count()));
  std::iota(own.begin(), own.end(), 0);
  attention_.forward(rows, sequences, rows, sequences, own, workers, attended_);
  to.resize(rows.rows, outputs());
  workers.run(own.size(), [&](std::size_t job) {
    const auto b = static_cast<std::int64_t>(job);
    for (std::int64_t row = sequences.begin(b); row < sequences.begin(b + 1); ++row) {
      const float* x = rows.row(row);
      const float* a = attended_.row(row);
      float* out = to.row(row);
      for (std::int64_t i = 0; i < columns_; ++i) {
        out[i] = x[i];
        out[columns_ + i] = a[i];
        out[2 * columns_ + i] = x[i] * a[i];
      }
    }
  });
}

void SelfAttention::backward(const Matrix& gradient, Workers& workers, Matrix& row_gradient) {
  row_gradient.resize(rows_->rows, columns_);
  attended_gradient_.resize(rows_->rows, columns_);
  workers.run(static_cast<std::size_t>(sequences_->count()), [&](std::size_t job) {
    const auto b = static_cast<std::int64_t>(job);
    for (std::int64_t row = sequences_->begin(b); row < sequences_->begin(b + 1); ++row) {
      const float* x = rows_->row(row);
      const float* a = attended_.row(row);
      const float* of_x = gradient.row(row);
      const float* of_a = of_x + columns_;
      const float* of_xa = of_a + columns_;
      float* to_x = row_gradient.row(row);
      float* to_a = attended_gradient_.row(row);
      for (std::int64_t i = 0; i < columns_; ++i) {
        to_x[i] = of_x[i] + of_xa[i] * a[i];
        to_a[i] = of_a[i] + of_xa[i] * x[i];
      }
    }
  });
  attention_.backward(attended_gradient_, {}, workers, row_gradient, row_gradient);
}

}  // namespace elmo
