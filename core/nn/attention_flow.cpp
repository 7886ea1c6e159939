#include "core/nn/attention_flow.h"

#include <algorithm>
#include <numeric>

#include "core/kernels/attention_rows.h"
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
  summaries_.set_shape(context_sequences.count(), columns_);
  to.set_shape(contexts.rows, outputs());
  workers.run(static_cast<std::size_t>(context_sequences.count()), [&](std::size_t job) {
    const auto b = static_cast<std::int64_t>(job);
    const std::int64_t begin = context_sequences.begin(b);
    const std::int64_t length = context_sequences.length(b);
    float* shares = shares_.data() + begin;
    float* h = summaries_.row(b);
    softmax_rows(shares, 1, length, length);
    multiply({shares, length}, {contexts.row(begin), columns_}, 1, columns_, length, h, columns_,
             Result::replaced);
    join_found({length, columns_, contexts.row(begin), attended_.row(begin), h}, to.row(begin));
  });
}

void BidirectionalAttention::backward(const Matrix& gradient, Workers& workers,
                                      Matrix& context_gradient, Matrix& question_gradient) {
  context_gradient.set_shape(contexts_->rows, columns_);
  question_gradient.resize(questions_->rows, columns_);
  attended_gradient_.set_shape(contexts_->rows, columns_);
  maxima_gradient_.resize(shares_.size());
  workers.run(static_cast<std::size_t>(sequences_->count()), [&](std::size_t job) {
    const auto b = static_cast<std::int64_t>(job);
    const std::int64_t begin = sequences_->begin(b);
    const std::int64_t length = sequences_->length(b);
    const float* h = summaries_.row(b);
    AlignedVector<float> summary_gradient(static_cast<std::size_t>(columns_), 0.0F);
    join_found_backward({length, columns_, contexts_->row(begin), attended_.row(begin), h},
                        gradient.row(begin), context_gradient.row(begin),
                        attended_gradient_.row(begin), summary_gradient.data());
    const float* shares = shares_.data() + begin;
    float* to_maxima = maxima_gradient_.data() + begin;  // gradients of the shares, then of the
                                                         // maxima
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
  to.set_shape(rows.rows, outputs());
  workers.run(own.size(), [&](std::size_t job) {
    const std::int64_t begin = sequences.begin(static_cast<std::int64_t>(job));
    const std::int64_t length = sequences.length(static_cast<std::int64_t>(job));
    join_found({length, columns_, rows.row(begin), attended_.row(begin)}, to.row(begin));
  });
}

void SelfAttention::backward(const Matrix& gradient, Workers& workers, Matrix& row_gradient) {
  row_gradient.set_shape(rows_->rows, columns_);
  attended_gradient_.set_shape(rows_->rows, columns_);
  workers.run(static_cast<std::size_t>(sequences_->count()), [&](std::size_t job) {
    const std::int64_t begin = sequences_->begin(static_cast<std::int64_t>(job));
    const std::int64_t length = sequences_->length(static_cast<std::int64_t>(job));
    join_found_backward({length, columns_, rows_->row(begin), attended_.row(begin)},
                        gradient.row(begin), row_gradient.row(begin), attended_gradient_.row(begin),
                        nullptr);
  });
  attention_.backward(attended_gradient_, {}, workers, row_gradient, row_gradient);
}

}  // namespace elmo
