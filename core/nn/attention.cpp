#include "core/nn/attention.h"

#include <algorithm>
#include <array>

#include "core/kernels/optimizer_kernels.h"
#include "core/kernels/product.h"
#include "core/kernels/softmax.h"
#include "core/nn/affine.h"

namespace elmo {

void compare(const Matrix& rows, const Matrix& attended, Matrix& compared) {
  const std::int64_t columns = rows.columns;
  compared.resize(rows.rows, kComparisonWidth * columns);
  for (std::int64_t row = 0; row < rows.rows; ++row) {
    const float* a = rows.row(row);
    const float* found = attended.row(row);
    float* to = compared.row(row);
    float* difference = to + columns;
    float* product = difference + columns;
    std::copy_n(a, columns, to);
    for (std::int64_t c = 0; c < columns; ++c) {
      difference[c] = a[c] - found[c];
      product[c] = a[c] * found[c];
    }
  }
}

void compare_backward(const Matrix& rows, const Matrix& attended, const Matrix& compared_gradient,
                      Matrix& row_gradient, Matrix& attended_gradient) {
  const std::int64_t columns = rows.columns;
  attended_gradient.resize(rows.rows, columns);
  for (std::int64_t row = 0; row < rows.rows; ++row) {
    const float* a = rows.row(row);
    const float* found = attended.row(row);
    const float* own = compared_gradient.row(row);
    const float* difference = own + columns;
    const float* product = difference + columns;
    float* to_row = row_gradient.row(row);
    float* to_attended = attended_gradient.row(row);
    for (std::int64_t c = 0; c < columns; ++c) {
      to_row[c] += own[c] + difference[c] + product[c] * found[c];
      to_attended[c] = product[c] * a[c] - difference[c];
    }
  }
}

namespace {

// Rows per block of weights: enough for the products to run at full speed.
constexpr std::int64_t kBlockRows = 256;
// Parts into which a batch is divided for workers.
constexpr std::size_t kAttentionParts = 16;

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
  multiply(rows_->view(block.query, block.rows), rows_->view(block.key, block.keys).transposed(),
           {weights.data(), block.rows, block.keys});
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
  workspaces_.resize(std::min(kAttentionParts, firsts_.size()));
  const std::int64_t columns = rows.columns;
  attended.set_shape(rows.rows, columns);
  for_each_block(workers, [&](const Block& block, const Workspace& workspace) {
    multiply({workspace.weights.data(), block.rows, block.keys}, rows.view(block.key, block.keys),
             attended.view(block.query, block.rows));
  });
}

void Attention::backward(const Matrix& attended_gradient, Workers& workers, Matrix& row_gradient) {
  for_each_block(workers, [&](const Block& block, Workspace& workspace) {
    const auto [query, rows, key, keys] = block;
    grow(workspace.weight_gradient, rows * keys);
    const ConstFloatView gradient = attended_gradient.view(query, rows);
    // Computes the gradients of the weights, then of q · k_j.
    const FloatView scores(workspace.weight_gradient.data(), rows, keys);
    multiply(gradient, rows_->view(key, keys).transposed(), scores);
    softmax_rows_backward(workspace.weights.data(), rows, keys, keys, scores.values);
    multiply(scores, rows_->view(key, keys), row_gradient.view(query, rows), Beta::one);
    multiply(scores.transposed(), rows_->view(query, rows), row_gradient.view(key, keys),
             Beta::one);
    multiply(ConstFloatView(workspace.weights.data(), rows, keys).transposed(), gradient,
             row_gradient.view(key, keys), Beta::one);
  });
}

namespace {

// Rows, and rows of weight gradients, that one worker computes at a time. Products of fewer rows do
// not run at full speed.
constexpr std::int64_t kAttendedRowsAtOnce = 192;
constexpr std::int64_t kAttentionWeightsAtOnce = 256;

}  // namespace

ComparedProjection::ComparedProjection(const std::string& name, std::int64_t columns,
                                       std::int64_t outputs, float dropout, std::uint32_t mask_id)
    : columns_(columns),
      dropout_(dropout),
      mask_id_(mask_id),
      weights_(name + "/W", {4 * columns, outputs}),
      bias_(name + "/b", {outputs}) {
  bias_.decays = false;
}

void ComparedProjection::initialize(std::uint64_t seed) {
  initialize_glorot(weights_, seed);
  std::fill(bias_.values.begin(), bias_.values.end(), 0.0F);
}

void ComparedProjection::forward(const Matrix& rows, const Matrix& attended,
                                 const PassOptions& options, Workers& workers, Matrix& to) {
  rows_ = &rows;
  attended_ = &attended;
  outputs_ = &to;
  const std::int64_t width = outputs();
  const std::int64_t size = part_size();
  const float* weights = weights_.values.data();
  row_weights_.resize(static_cast<std::size_t>(size));
  attended_weights_.resize(static_cast<std::size_t>(size));
  for (std::int64_t i = 0; i < size; ++i) {
    row_weights_[static_cast<std::size_t>(i)] = weights[i] + weights[2 * size + i];
    attended_weights_[static_cast<std::size_t>(i)] = weights[size + i] - weights[2 * size + i];
  }
  grow(products_, rows.rows * columns_);
  to.set_shape(rows.rows, width);
  for_blocks(rows.rows, kAttendedRowsAtOnce, workers, [&](std::int64_t first, std::int64_t end) {
    const std::int64_t count = end - first;
    fill_rows(bias_.values.data(), to.view(first, count));
    const float* a = rows.row(first);
    const float* found = attended.row(first);
    float* products = products_.data() + first * columns_;
    for (std::int64_t i = 0; i < count * columns_; ++i) products[i] = a[i] * found[i];
    const auto add_product = [&](const float* part, const float* part_weights) {
      multiply({part, count, columns_}, {part_weights, columns_, width}, to.view(first, count),
               Beta::one);
    };
    add_product(a, row_weights_.data());
    add_product(found, attended_weights_.data());
    add_product(products, weights + 3 * size);
  });
  relu(to.values);
  drop(options, dropout_, mask_id_, workers, to);
}

void ComparedProjection::backward(Matrix& gradient, const PassOptions& options, Workers& workers,
                                  Matrix& row_gradient, Matrix& attended_gradient) {
  relu_backward(*outputs_, kept_factor(options, dropout_), gradient);
  const std::int64_t width = outputs();
  const std::int64_t size = part_size();
  const std::int64_t count = gradient.rows;
  row_gradient.set_shape(count, columns_);
  attended_gradient.set_shape(count, columns_);
  grow(product_gradient_, count * columns_);
  for_blocks(count, kAttendedRowsAtOnce, workers, [&](std::int64_t first, std::int64_t end) {
    const std::int64_t rows = end - first;
    const auto through = [&](const float* part_weights, float* to) {
      multiply(gradient.view(first, rows),
               ConstFloatView(part_weights, columns_, width).transposed(), {to, rows, columns_});
    };
    float* to_row = row_gradient.row(first);
    float* to_attended = attended_gradient.row(first);
    float* product = product_gradient_.data() + first * columns_;
    through(row_weights_.data(), to_row);
    through(attended_weights_.data(), to_attended);
    through(weights_.values.data() + 3 * size, product);
    const float* a = rows_->row(first);
    const float* found = attended_->row(first);
    for (std::int64_t i = 0; i < rows * columns_; ++i) to_row[i] += product[i] * found[i];
    for (std::int64_t i = 0; i < rows * columns_; ++i) to_attended[i] += product[i] * a[i];
  });

  // The gradients of W_1 + W_3 and W_2 − W_3 overwrite these sums, which are no longer needed.
  const std::array<const float*, 3> inputs = {rows_->values.data(), attended_->values.data(),
                                              products_.data()};
  float* weights = weights_.gradient.data();
  const std::array<float*, 3> of_inputs = {row_weights_.data(), attended_weights_.data(),
                                           weights + 3 * size};
  const std::int64_t weight_pieces = block_count(columns_, kAttentionWeightsAtOnce);
  workers.run(static_cast<std::size_t>(3 * weight_pieces), [&](std::size_t job) {
    const std::size_t part = job % 3;
    const std::int64_t first = static_cast<std::int64_t>(job / 3) * kAttentionWeightsAtOnce;
    const std::int64_t at_once = std::min(kAttentionWeightsAtOnce, columns_ - first);
    multiply(ConstFloatView(inputs[part], count, columns_).transposed().row_range(first, at_once),
             gradient.view(), {of_inputs[part] + first * width, at_once, width},
             part == 2 ? Beta::one : Beta::zero);
  });
  for (std::int64_t i = 0; i < size; ++i) {
    const float of_row = row_weights_[static_cast<std::size_t>(i)];
    const float of_attended = attended_weights_[static_cast<std::size_t>(i)];
    weights[i] += of_row;
    weights[size + i] += of_attended;
    weights[2 * size + i] += of_row - of_attended;
  }
  add_column_sums({gradient.values.data(), count, width}, bias_.gradient.data());
}

}  // namespace elmo
