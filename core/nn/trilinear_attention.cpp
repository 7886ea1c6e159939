#include "core/nn/trilinear_attention.h"

#include <algorithm>
#include <limits>

#include "core/kernels/optimizer_kernels.h"
#include "core/kernels/row_softmax.h"
#include "core/kernels/sgemm.h"
#include "core/nn/initialize.h"

namespace elmo {
namespace {

// Rows whose weights are in memory at once, for each worker: enough for the products to run at full
// speed.
constexpr std::int64_t kTrilinearRows = 256;

}  // namespace

TrilinearAttention::TrilinearAttention(const std::string& name, const Options& options)
    : options_(options),
      query_(name + "/w1", {options.columns, 1}),
      key_(name + "/w2", {options.columns, 1}),
      product_(name + "/w3", {options.columns, 1}) {}

std::vector<Parameter*> TrilinearAttention::parameters() {
  if (!options_.maxima) return {&key_, &product_};
  return {&query_, &key_, &product_};
}

void TrilinearAttention::initialize(std::uint64_t seed) {
  for (Parameter* parameter : parameters()) initialize_glorot(*parameter, seed);
}

// Sequences that attend to the same one are one job: their gradients are added to the same keys.
template <typename Work>
void TrilinearAttention::for_each_block(Workers& workers, Work work) {
  workers.run(groups_.size() - 1, [&](std::size_t group) {
    AlignedVector<float> scores;
    for (std::int64_t b = groups_[group]; b < groups_[group + 1]; ++b) {
      const std::int64_t other = others_[static_cast<std::size_t>(b)];
      Block block;
      block.key = key_sequences_->begin(other);
      block.keys = key_sequences_->length(other);
      const std::int64_t begin = sequences_->begin(b);
      const std::int64_t end = sequences_->begin(b + 1);
      for (block.row = begin; block.row < end; block.row += block.rows) {
        block.rows = std::min(kTrilinearRows, end - block.row);
        block.own = block.row - begin;
        grow(scores, block.rows * block.keys);
        compute_scores(block, scores.data());
        work(block, scores.data());
      }
    }
  });
}

// Without w1·c, which is the same for all keys.
void TrilinearAttention::compute_scores(const Block& block, float* scores) const {
  const std::int64_t columns = options_.columns;
  multiply({weighed_.row(block.row), columns}, {keys_->row(block.key), columns, true}, block.rows,
           block.keys, columns, scores, block.keys, Result::replaced);
  if (!options_.others_only) return;
  for (std::int64_t i = 0; i < block.rows; ++i) {
    scores[i * block.keys + block.own + i] = -std::numeric_limits<float>::infinity();
  }
}

void TrilinearAttention::forward(const Matrix& rows, const Sequences& sequences, const Matrix& keys,
                                 const Sequences& key_sequences,
                                 std::span<const std::int64_t> others, Workers& workers,
                                 Matrix& attended) {
  rows_ = &rows;
  keys_ = &keys;
  sequences_ = &sequences;
  key_sequences_ = &key_sequences;
  others_.assign(others.begin(), others.end());
  groups_.assign(1, 0);
  for (std::int64_t b = 1; b <= sequences.count(); ++b) {
    const auto at = static_cast<std::size_t>(b);
    if (at == others_.size() || others_[at] != others_[at - 1]) groups_.push_back(b);
  }
  const std::int64_t columns = options_.columns;
  weighed_.resize(rows.rows, columns);
  attended.resize(rows.rows, columns);
  if (options_.maxima) {
    maxima_.resize(static_cast<std::size_t>(rows.rows));
    largest_.resize(static_cast<std::size_t>(rows.rows));
  }
  workers.run(groups_.size() - 1, [&](std::size_t group) {
    const std::int64_t begin = sequences.begin(groups_[group]);
    const std::int64_t end = sequences.begin(groups_[group + 1]);
    if (options_.maxima) {
      multiply({rows.row(begin), columns}, {query_.values.data(), 1}, end - begin, 1, columns,
               maxima_.data() + begin, 1, Result::replaced);
    }
    for (std::int64_t row = begin; row < end; ++row) {
      const float* from = rows.row(row);
      float* to = weighed_.row(row);
      for (std::int64_t c = 0; c < columns; ++c) {
        to[c] = product_.values[static_cast<std::size_t>(c)] * from[c] +
                key_.values[static_cast<std::size_t>(c)];
      }
    }
  });
  for_each_block(workers, [&](const Block& block, float* scores) {
    for (std::int64_t i = 0; options_.maxima && i < block.rows; ++i) {
      const float* begin = scores + i * block.keys;
      const float* largest = std::max_element(begin, begin + block.keys);
      maxima_[static_cast<std::size_t>(block.row + i)] += *largest;
      largest_[static_cast<std::size_t>(block.row + i)] = largest - begin;
    }
    if (options_.others_only && block.keys == 1) return;
    softmax_rows(scores, block.rows, block.keys, block.keys);
    multiply({scores, block.keys}, {keys.row(block.key), columns}, block.rows, columns, block.keys,
             attended.row(block.row), columns, Result::replaced);
  });
}

void TrilinearAttention::backward(const Matrix& attended_gradient,
                                  std::span<const float> maxima_gradient, Workers& workers,
                                  Matrix& row_gradient, Matrix& key_gradient) {
  const std::int64_t columns = options_.columns;
  weighed_gradient_.resize(rows_->rows, columns);
  for_each_block(workers, [&](const Block& block, float* weights) {
    const std::int64_t keys = block.keys;
    if (options_.others_only && keys == 1) return;
    softmax_rows(weights, block.rows, keys, keys);
    const float* gradient = attended_gradient.row(block.row);
    multiply({weights, keys, true}, {gradient, columns}, keys, columns, block.rows,
             key_gradient.row(block.key), columns, Result::added);
    // Of the weights first, then of s.
    AlignedVector<float> scores(static_cast<std::size_t>(block.rows * keys));
    multiply({gradient, columns}, {keys_->row(block.key), columns, true}, block.rows, keys, columns,
             scores.data(), keys, Result::replaced);
    softmax_rows_backward(weights, block.rows, keys, keys, scores.data());
    for (std::int64_t i = 0; options_.maxima && i < block.rows; ++i) {
      const auto row = static_cast<std::size_t>(block.row + i);
      scores[static_cast<std::size_t>(i * keys + largest_[row])] += maxima_gradient[row];
    }
    multiply({scores.data(), keys}, {keys_->row(block.key), columns}, block.rows, columns, keys,
             weighed_gradient_.row(block.row), columns, Result::replaced);
    multiply({scores.data(), keys, true}, {weighed_.row(block.row), columns}, keys, columns,
             block.rows, key_gradient.row(block.key), columns, Result::added);
  });

  // Over all rows in their order, whichever worker had them.
  add_column_sums(weighed_gradient_.values.data(), rows_->rows, columns, key_.gradient.data());
  if (options_.maxima) {
    multiply({rows_->values.data(), columns, true}, {maxima_gradient.data(), 1}, columns, 1,
             rows_->rows, query_.gradient.data(), 1, Result::added);
  }
  for (std::int64_t row = 0; row < rows_->rows; ++row) {
    const float* own = rows_->row(row);
    const float* gradient = weighed_gradient_.row(row);
    const float by_maximum = options_.maxima ? maxima_gradient[static_cast<std::size_t>(row)] : 0.F;
    float* to = row_gradient.row(row);
    for (std::int64_t c = 0; c < columns; ++c) {
      const auto at = static_cast<std::size_t>(c);
      product_.gradient[at] += gradient[c] * own[c];
      to[c] += gradient[c] * product_.values[at] + by_maximum * query_.values[at];
    }
  }
}

}  // namespace elmo
