#include "core/nn/compared_projection.h"

#include <algorithm>
#include <array>

#include "core/kernels/optimizer_kernels.h"
#include "core/kernels/sgemm.h"
#include "core/nn/dropout.h"
#include "core/nn/initialize.h"
#include "core/nn/relu.h"
#include "core/nn/row_pieces.h"

namespace elmo {
namespace {

// Rows, and rows of weight gradients, that one worker computes at a time. Products of fewer rows do
// not run at full speed.
constexpr std::int64_t kRowsAtOnce = 192;
constexpr std::int64_t kWeightsAtOnce = 256;

}  // namespace

ComparedProjection::ComparedProjection(const std::string& name, std::int64_t columns,
                                       std::int64_t outputs, float dropout, std::uint32_t place)
    : columns_(columns),
      dropout_(dropout),
      place_(place),
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
  for_blocks(rows.rows, kRowsAtOnce, workers, [&](std::int64_t first, std::int64_t end) {
    const std::int64_t count = end - first;
    float* sums = to.row(first);
    for (std::int64_t n = 0; n < count; ++n) {
      std::copy(bias_.values.begin(), bias_.values.end(), sums + n * width);
    }
    const float* a = rows.row(first);
    const float* found = attended.row(first);
    float* products = products_.data() + first * columns_;
    for (std::int64_t i = 0; i < count * columns_; ++i) products[i] = a[i] * found[i];
    const auto add_product = [&](const float* part, const float* part_weights) {
      multiply({part, columns_}, {part_weights, width}, count, width, columns_, sums, width,
               Result::added);
    };
    add_product(a, row_weights_.data());
    add_product(found, attended_weights_.data());
    add_product(products, weights + 3 * size);
  });
  relu(to);
  drop(options, dropout_, place_, workers, to);
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
  for_blocks(count, kRowsAtOnce, workers, [&](std::int64_t first, std::int64_t end) {
    const std::int64_t rows = end - first;
    const auto through = [&](const float* part_weights, float* to) {
      multiply({gradient.row(first), width}, {part_weights, width, true}, rows, columns_, width, to,
               columns_, Result::replaced);
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
  const std::int64_t weight_pieces = block_count(columns_, kWeightsAtOnce);
  workers.run(static_cast<std::size_t>(3 * weight_pieces), [&](std::size_t job) {
    const std::size_t part = job % 3;
    const std::int64_t first = static_cast<std::int64_t>(job / 3) * kWeightsAtOnce;
    multiply({inputs[part] + first, columns_, true}, {gradient.values.data(), width},
             std::min(kWeightsAtOnce, columns_ - first), width, count,
             of_inputs[part] + first * width, width, part == 2 ? Result::added : Result::replaced);
  });
  for (std::int64_t i = 0; i < size; ++i) {
    const float of_row = row_weights_[static_cast<std::size_t>(i)];
    const float of_attended = attended_weights_[static_cast<std::size_t>(i)];
    weights[i] += of_row;
    weights[size + i] += of_attended;
    weights[2 * size + i] += of_row - of_attended;
  }
  add_column_sums(gradient.values.data(), count, width, bias_.gradient.data());
}

}  // namespace elmo
