#include "core/nn/attention.h"

#include <algorithm>

#include "core/kernels/row_softmax.h"
#include "core/kernels/sgemm.h"

namespace elmo {
namespace {

// Rows whose weights are in memory at once: enough for the products to run at full speed.
constexpr std::int64_t kBlockRows = 256;

}  // namespace

template <typename Work>
void Attention::for_each_block(Work work) {
  for (std::int64_t b = 0; b < sequences_->count(); ++b) {
    const std::int64_t other = others_[static_cast<std::size_t>(b)];
    Block block;
    block.key = sequences_->begin(other);
    block.keys = sequences_->length(other);
    const std::int64_t end = sequences_->begin(b + 1);
    for (block.query = sequences_->begin(b); block.query < end; block.query += block.rows) {
      block.rows = std::min(kBlockRows, end - block.query);
      grow(weights_, block.rows * block.keys);
      compute_weights(block);
      work(block);
    }
  }
}

void Attention::compute_weights(const Block& block) {
  const std::int64_t columns = rows_->columns;
  multiply({rows_->row(block.query), columns}, {rows_->row(block.key), columns, true}, block.rows,
           block.keys, columns, weights_.data(), block.keys, Result::replaced);
  softmax_rows(weights_.data(), block.rows, block.keys, block.keys);
}

void Attention::forward(const Matrix& rows, const Sequences& sequences,
                        std::span<const std::int64_t> others, Matrix& attended) {
  rows_ = &rows;
  sequences_ = &sequences;
  others_.assign(others.begin(), others.end());
  const std::int64_t columns = rows.columns;
  attended.resize(rows.rows, columns);
  for_each_block([&](const Block& block) {
    multiply({weights_.data(), block.keys}, {rows.row(block.key), columns}, block.rows, columns,
             block.keys, attended.row(block.query), columns, Result::replaced);
  });
}

void Attention::backward(const Matrix& attended_gradient, Matrix& row_gradient) {
  const std::int64_t columns = rows_->columns;
  for_each_block([&](const Block& block) {
    const auto [query, rows, key, keys] = block;
    grow(weight_gradient_, rows * keys);
    const float* gradient = attended_gradient.row(query);
    float* scores = weight_gradient_.data();  // of the weights first, then of q · k_j
    multiply({gradient, columns}, {rows_->row(key), columns, true}, rows, keys, columns, scores,
             keys, Result::replaced);
    softmax_rows_backward(weights_.data(), rows, keys, keys, scores);
    multiply({scores, keys}, {rows_->row(key), columns}, rows, columns, keys,
             row_gradient.row(query), columns, Result::added);
    multiply({scores, keys, true}, {rows_->row(query), columns}, keys, columns, rows,
             row_gradient.row(key), columns, Result::added);
    multiply({weights_.data(), keys, true}, {gradient, columns}, keys, columns, rows,
             row_gradient.row(key), columns, Result::added);
  });
}

}  // namespace elmo
