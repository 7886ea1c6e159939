#include "core/nn/sequence_pooling.h"

#include <algorithm>

#include "core/kernels/product.h"
#include "core/kernels/softmax.h"

namespace elmo {
namespace {

// NaN wins over any number. No branch, so that the compiler vectorizes the loop.
template <Pool kind>
void take_row(const float* from, std::int64_t columns, std::int32_t row, float* to,
              std::int32_t* where) {
  for (std::int64_t c = 0; c < columns; ++c) {
    const float value = from[c];
    const float best = to[c];
    const bool is_better = kind == Pool::max ? value > best : value < best;
    const bool is_taken = is_better | (value != value);
    to[c] = is_taken ? value : best;
    where[c] = is_taken ? row : where[c];
  }
}

}  // namespace

void SequencePooling::forward(const Matrix& rows, const Sequences& sequences, Matrix& pooled,
                              std::int64_t first) {
  sequences_ = &sequences;
  const std::int64_t columns = rows.columns;
  if (kind_ != Pool::mean) where_.assign(static_cast<std::size_t>(sequences.count() * columns), 0);
  for (std::int64_t b = 0; b < sequences.count(); ++b) {
    const std::int64_t begin = sequences.begin(b);
    const std::int64_t end = sequences.begin(b + 1);
    float* to = pooled.row(b) + first;
    std::copy_n(rows.row(begin), columns, to);
    if (kind_ == Pool::mean) {
      for (std::int64_t row = begin + 1; row < end; ++row) {
        const float* from = rows.row(row);
        for (std::int64_t c = 0; c < columns; ++c) to[c] += from[c];
      }
      const float share = 1.0F / static_cast<float>(end - begin);
      for (std::int64_t c = 0; c < columns; ++c) to[c] *= share;
      continue;
    }
    std::int32_t* where = where_.data() + b * columns;
    std::fill_n(where, columns, static_cast<std::int32_t>(begin));
    for (std::int64_t row = begin + 1; row < end; ++row) {
      const auto number = static_cast<std::int32_t>(row);
      if (kind_ == Pool::max) {
        take_row<Pool::max>(rows.row(row), columns, number, to, where);
      } else {
        take_row<Pool::min>(rows.row(row), columns, number, to, where);
      }
    }
  }
}

void SequencePooling::backward(const Matrix& pooled_gradient, std::int64_t first,
                               Matrix& row_gradient) const {
  const std::int64_t columns = row_gradient.columns;
  for (std::int64_t b = 0; b < sequences_->count(); ++b) {
    const float* gradient = pooled_gradient.row(b) + first;
    if (kind_ == Pool::mean) {
      const float share = 1.0F / static_cast<float>(sequences_->length(b));
      for (std::int64_t row = sequences_->begin(b); row < sequences_->begin(b + 1); ++row) {
        float* to = row_gradient.row(row);
        for (std::int64_t c = 0; c < columns; ++c) to[c] += share * gradient[c];
      }
    } else {
      const std::int32_t* where = where_.data() + b * columns;
      for (std::int64_t c = 0; c < columns; ++c) row_gradient.row(where[c])[c] += gradient[c];
    }
  }
}

void SelfAttentivePooling::forward(const Matrix& rows, const Sequences& sequences, Matrix& pooled,
                                   std::int64_t first) {
  rows_ = &rows;
  sequences_ = &sequences;
  const std::int64_t columns = rows.columns;
  shares_.resize(static_cast<std::size_t>(rows.rows));
  multiply(rows.view(), weights_.matrix(), {shares_.data(), rows.rows, 1});
  for (std::int64_t b = 0; b < sequences.count(); ++b) {
    const std::int64_t length = sequences.length(b);
    float* shares = shares_.data() + sequences.begin(b);
    softmax_rows(shares, 1, length, length);
    multiply({shares, 1, length}, rows.view(sequences.begin(b), length),
             {pooled.row(b) + first, 1, columns});
  }
}

void SelfAttentivePooling::backward(const Matrix& pooled_gradient, std::int64_t first,
                                    Matrix& row_gradient) {
  const std::int64_t columns = rows_->columns;
  share_gradient_.resize(shares_.size());
  for (std::int64_t b = 0; b < sequences_->count(); ++b) {
    const std::int64_t begin = sequences_->begin(b);
    const std::int64_t length = sequences_->length(b);
    const float* gradient = pooled_gradient.row(b) + first;
    float* scores = share_gradient_.data() + begin;  // gradients of the shares, then of row · w
    multiply(rows_->view(begin, length), {gradient, columns, 1}, {scores, length, 1});
    softmax_rows_backward(shares_.data() + begin, 1, length, length, scores);
    multiply({shares_.data() + begin, length, 1}, {gradient, 1, columns},
             row_gradient.view(begin, length), Beta::one);
    multiply({scores, length, 1}, {weights_.values.data(), 1, columns},
             row_gradient.view(begin, length), Beta::one);
  }
  multiply({share_gradient_.data(), 1, rows_->rows}, rows_->view(),
           {weights_.gradient.data(), 1, columns}, Beta::one);
}

}  // namespace elmo
