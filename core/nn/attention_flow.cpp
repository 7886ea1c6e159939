#include "core/nn/attention_flow.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>

#include "core/kernels/optimizer_kernels.h"
#include "core/kernels/product.h"
#include "core/kernels/row_kernels.h"
#include "core/kernels/softmax.h"

namespace elmo {
namespace {

// Rows per block of weights, for each worker: enough for the products to run at full speed.
constexpr std::int64_t kTrilinearRows = 256;

// Number of weights for which a sequence sums gradients: w2, w3, w1.
constexpr std::int64_t kFlowSums = 3;

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

// Sequences that attend to the same one are one job, because they add to the gradient of the same
// keys. A free worker takes the next job.
template <typename Work>
void TrilinearAttention::for_each_block(Workers& workers, Work work) {
  const std::size_t groups = groups_.size() - 1;
  std::atomic<std::size_t> next = 0;
  workspaces_.resize(static_cast<std::size_t>(workers.count()));
  workers.run(workspaces_.size(), [&](std::size_t share) {
    Workspace& workspace = workspaces_[share];
    for (std::size_t group = next++; group < groups; group = next++) {
      for (std::int64_t b = groups_[group]; b < groups_[group + 1]; ++b) {
        for_each_block_of(b, [&](const Block& block) {
          grow(workspace.weights, block.rows * block.keys);
          compute_scores(block, workspace.weights.data());
          work(block, workspace);
        });
      }
    }
  });
}

template <typename Work>
void TrilinearAttention::for_each_block_of(std::int64_t sequence, Work work) const {
  const std::int64_t other = others_[static_cast<std::size_t>(sequence)];
  Block block;
  block.sequence = sequence;
  block.key = key_sequences_->begin(other);
  block.keys = key_sequences_->length(other);
  const std::int64_t begin = sequences_->begin(sequence);
  const std::int64_t end = sequences_->begin(sequence + 1);
  for (block.row = begin; block.row < end; block.row += block.rows) {
    block.rows = std::min(kTrilinearRows, end - block.row);
    block.own = block.row - begin;
    work(block);
  }
}

// Omits w1·c, which is the same for all keys.
void TrilinearAttention::compute_scores(const Block& block, float* scores) const {
  multiply(weighed_.view(block.row, block.rows), keys_->view(block.key, block.keys).transposed(),
           {scores, block.rows, block.keys});
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
  weighed_.set_shape(rows.rows, columns);
  attended.set_shape(rows.rows, columns);
  if (options_.maxima) {
    maxima_.resize(static_cast<std::size_t>(rows.rows));
    largest_.resize(static_cast<std::size_t>(rows.rows));
  }
  workers.run(groups_.size() - 1, [&](std::size_t group) {
    const std::int64_t begin = sequences.begin(groups_[group]);
    const std::int64_t end = sequences.begin(groups_[group + 1]);
    if (options_.maxima) {
      multiply(rows.view(begin, end - begin), query_.matrix(),
               {maxima_.data() + begin, end - begin, 1});
    }
    weigh_rows(rows.row(begin), end - begin, columns, key_.values.data(), product_.values.data(),
               weighed_.row(begin));
  });
  for_each_block(workers, [&](const Block& block, Workspace& workspace) {
    float* scores = workspace.weights.data();
    for (std::int64_t i = 0; options_.maxima && i < block.rows; ++i) {
      const float* begin = scores + i * block.keys;
      const float* largest = std::max_element(begin, begin + block.keys);
      maxima_[static_cast<std::size_t>(block.row + i)] += *largest;
      largest_[static_cast<std::size_t>(block.row + i)] = largest - begin;
    }
    if (options_.others_only && block.keys == 1) {
      std::fill_n(attended.row(block.row), columns, 0.0F);
      return;
    }
    softmax_rows(scores, block.rows, block.keys, block.keys);
    multiply({scores, block.rows, block.keys}, keys.view(block.key, block.keys),
             attended.view(block.row, block.rows));
  });
}

void TrilinearAttention::backward(const Matrix& attended_gradient,
                                  std::span<const float> maxima_gradient, Workers& workers,
                                  Matrix& row_gradient, Matrix& key_gradient) {
  const std::int64_t columns = options_.columns;
  sums_.resize(sequences_->count(), kFlowSums * columns);
  for_each_block(workers, [&](const Block& block, Workspace& workspace) {
    const std::int64_t keys = block.keys;
    float* weights = workspace.weights.data();
    if (options_.others_only && keys == 1) return;
    softmax_rows(weights, block.rows, keys, keys);
    const ConstFloatView gradient = attended_gradient.view(block.row, block.rows);
    multiply(ConstFloatView(weights, block.rows, keys).transposed(), gradient,
             key_gradient.view(block.key, keys), Beta::one);
    // Computes the gradients of the weights, then of s.
    grow(workspace.scores, block.rows * keys);
    float* scores = workspace.scores.data();
    const FloatView score_view(scores, block.rows, keys);
    multiply(gradient, keys_->view(block.key, keys).transposed(), score_view);
    softmax_rows_backward(weights, block.rows, keys, keys, scores);
    for (std::int64_t i = 0; options_.maxima && i < block.rows; ++i) {
      const auto row = static_cast<std::size_t>(block.row + i);
      scores[i * keys + largest_[row]] += maxima_gradient[row];
    }
    grow(workspace.weighed_gradient, block.rows * columns);
    multiply(score_view, keys_->view(block.key, keys),
             {workspace.weighed_gradient.data(), block.rows, columns});
    multiply(score_view.transposed(), weighed_.view(block.row, block.rows),
             key_gradient.view(block.key, keys), Beta::one);
    float* sums = sums_.row(block.sequence);
    WeighedRowsGradient task;
    task.rows = block.rows;
    task.columns = columns;
    task.c = rows_->row(block.row);
    task.gradient = workspace.weighed_gradient.data();
    task.w3 = product_.values.data();
    task.to_c = row_gradient.row(block.row);
    task.to_w2 = sums;
    task.to_w3 = sums + columns;
    if (options_.maxima) {
      task.sums = maxima_gradient.data() + block.row;
      task.w1 = query_.values.data();
      task.to_w1 = sums + 2 * columns;
    }
    weigh_rows_backward(task);
  });

  // Adds in the order of the sequences, so that the sum does not depend on the workers.
  for (std::int64_t b = 0; b < sums_.rows; ++b) {
    add(sums_.row(b), columns, key_.gradient.data());
    add(sums_.row(b) + columns, columns, product_.gradient.data());
    if (options_.maxima) add(sums_.row(b) + 2 * columns, columns, query_.gradient.data());
  }
}

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
    multiply({shares, 1, length}, contexts.view(begin, length), {h, 1, columns_});
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
    multiply(contexts_->view(begin, length), {summary_gradient.data(), columns_, 1},
             {to_maxima, length, 1});
    softmax_rows_backward(shares, 1, length, length, to_maxima);
    multiply({shares, length, 1}, {summary_gradient.data(), 1, columns_},
             context_gradient.view(begin, length), Beta::one);
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
