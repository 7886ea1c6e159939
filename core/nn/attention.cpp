#include "core/nn/attention.h"

#include <algorithm>

#include "core/kernels/row_softmax.h"
#include "core/kernels/sgemm.h"

namespace elmo {
namespace {

// Rows per block of weights: enough for the products to run at full speed.
constexpr std::int64_t kBlockRows = 256;
// Parts into which a batch is divided for workers.
constexpr std::size_t kParts = 16;

}  // namespace

// One worker takes both sequences of a pair, because each adds to the gradient of the other.
template <typename Work>
void Attention::for_each_block(Workers& workers, Work work) {
  const auto blocks_of = [&](std::int64_t b, Workspace& workspace) {
    const std::int64_t other = others_[static_cast<std::size_t>(b)];
    Block block;
    block.key = sequences_->begin(other);
    block.keys = sequences_->length(other);
    const std::int64_t end = sequences_->begin(b + 1);
    for (block.query = sequences_->begin(b); block.query < end; block.query += block.rows) {
      block.rows = std::min(kBlockRows, end - block.query);
      grow(workspace.weights, block.rows * block.keys);
      compute_weights(block, workspace.weights);
      work(block, workspace);
    }
  };
  workers.run(workspaces_.size(), [&](std::size_t part) {
    const std::size_t end = firsts_.size() * (part + 1) / workspaces_.size();
    for (std::size_t n = firsts_.size() * part / workspaces_.size(); n < end; ++n) {
      const std::int64_t b = firsts_[n];
      const std::int64_t other = others_[static_cast<std::size_t>(b)];
      blocks_of(b, workspaces_[part]);
      if (other != b) blocks_of(other, workspaces_[part]);
    }
  });
}

void Attention::compute_weights(const Block& block, AlignedVector<float>& weights) const {
  const std::int64_t columns = rows_->columns;
  multiply({rows_->row(block.query), columns}, {rows_->row(block.key), columns, true}, block.rows,
           block.keys, columns, weights.data(), block.keys, Result::replaced);
  softmax_rows(weights.data(), block.rows, block.keys, block.keys);
}

void Attention::forward(const Matrix& rows, const Sequences& sequences,
                        std::span<const std::int64_t> others, Workers& workers, Matrix& attended) {
  rows_ = &rows;
  sequences_ = &sequences;
  others_.assign(others.begin(), others.end());
  firsts_.clear();
  for (std::size_t b = 0; b < others.size(); ++b) {
    const auto number = static_cast<std::int64_t>(b);
    if (number <= others[b]) firsts_.push_back(number);
  }
  workspaces_.resize(std::min(kParts, firsts_.size()));
  const std::int64_t columns = rows.columns;
  attended.set_shape(rows.rows, columns);
  for_each_block(workers, [&](const Block& block, const Workspace& workspace) {
    multiply({workspace.weights.data(), block.keys}, {rows.row(block.key), columns}, block.rows,
             columns, block.keys, attended.row(block.query), columns, Result::replaced);
  });
}

void Attention::backward(const Matrix& attended_gradient, Workers& workers, Matrix& row_gradient) {
  const std::int64_t columns = rows_->columns;
  for_each_block(workers, [&](const Block& block, Workspace& workspace) {
    const auto [query, rows, key, keys] = block;
    grow(workspace.weight_gradient, rows * keys);
    const float* gradient = attended_gradient.row(query);
    float* scores = workspace.weight_gradient.data();  // gradients of the weights, then of q · k_j
    multiply({gradient, columns}, {rows_->row(key), columns, true}, rows, keys, columns, scores,
             keys, Result::replaced);
    softmax_rows_backward(workspace.weights.data(), rows, keys, keys, scores);
    multiply({scores, keys}, {rows_->row(key), columns}, rows, columns, keys,
             row_gradient.row(query), columns, Result::added);
    multiply({scores, keys, true}, {rows_->row(query), columns}, keys, columns, rows,
             row_gradient.row(key), columns, Result::added);
    multiply({workspace.weights.data(), keys, true}, {gradient, columns}, keys, columns, rows,
             row_gradient.row(key), columns, Result::added);
  });
}

}  // namespace elmo
