#include "core/train/layers/attention.h"

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
  for (std::int64_t b = 0; b < query_sequences_->count(); ++b) {
    Block block;
    block.key = key_sequences_->begin(b);
    block.keys = key_sequences_->length(b);
    const std::int64_t end = query_sequences_->begin(b + 1);
    for (block.query = query_sequences_->begin(b); block.query < end; block.query += block.rows) {
      block.rows = std::min(kBlockRows, end - block.query);
      const auto size = static_cast<std::size_t>(block.rows * block.keys);
      if (weights_.size() < size) weights_.resize(size);
      compute_weights(block);
      work(block);
    }
  }
}

void Attention::compute_weights(const Block& block) {
  const std::int64_t columns = queries_->columns;
  multiply({queries_->row(block.query), columns}, {keys_->row(block.key), columns, true},
           block.rows, block.keys, columns, weights_.data(), block.keys, Result::replaced);
  softmax_rows(weights_.data(), block.rows, block.keys, block.keys);
}

void Attention::forward(const Matrix& queries, const Sequences& query_sequences, const Matrix& keys,
                        const Sequences& key_sequences, Matrix& attended) {
  queries_ = &queries;
  keys_ = &keys;
  query_sequences_ = &query_sequences;
  key_sequences_ = &key_sequences;
  const std::int64_t columns = queries.columns;
  attended.resize(queries.rows, columns);
  for_each_block([&](const Block& block) {
    multiply({weights_.data(), block.keys}, {keys.row(block.key), columns}, block.rows, columns,
             block.keys, attended.row(block.query), columns, Result::replaced);
  });
}

void Attention::backward(const Matrix& attended_gradient, Matrix& query_gradient,
                         Matrix& key_gradient) {
  const std::int64_t columns = queries_->columns;
  for_each_block([&](const Block& block) {
    const auto [query, rows, key, keys] = block;
    if (weight_gradient_.size() < weights_.size()) weight_gradient_.resize(weights_.size());
    const float* gradient = attended_gradient.row(query);
    float* scores = weight_gradient_.data();  // of the weights first, then of q_i · k_j
    multiply({gradient, columns}, {keys_->row(key), columns, true}, rows, keys, columns, scores,
             keys, Result::replaced);
    softmax_rows_backward(weights_.data(), rows, keys, keys, scores);
    multiply({scores, keys}, {keys_->row(key), columns}, rows, columns, keys,
             query_gradient.row(query), columns, Result::added);
    multiply({scores, keys, true}, {queries_->row(query), columns}, keys, columns, rows,
             key_gradient.row(key), columns, Result::added);
    multiply({weights_.data(), keys, true}, {gradient, columns}, keys, columns, rows,
             key_gradient.row(key), columns, Result::added);
  });
}

}  // namespace elmo
