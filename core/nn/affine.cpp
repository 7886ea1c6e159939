#include "core/nn/affine.h"

#include <algorithm>

#include "core/kernels/optimizer_kernels.h"
#include "core/kernels/product.h"

namespace elmo {

void relu(std::span<float> values) {
  for (float& value : values) value = value < 0.0F ? 0.0F : value;
}

void relu_backward(const Matrix& values, float kept, Matrix& gradient) {
  const float* value = values.values.data();
  float* to = gradient.values.data();
  // Multiplies instead of branching, so that the compiler vectorizes the loop.
  for (std::size_t i = 0; i < values.values.size(); ++i) to[i] *= value[i] == 0.0F ? 0.0F : kept;
}

namespace {

// Rows, and rows of weight gradients, that one worker computes at a time. Few rows are one piece,
// which is faster than several.
constexpr std::int64_t kAffineRowsAtOnce = 1024;
constexpr std::int64_t kAffineWeightsAtOnce = 256;

}  // namespace

Affine::Affine(const std::string& name, std::int64_t inputs, std::int64_t outputs)
    : weights_(name + "/W", {inputs, outputs}), bias_(name + "/b", {outputs}) {
  bias_.decays = false;
}

void Affine::initialize(std::uint64_t seed) {
  initialize_glorot(weights_, seed);
  std::fill(bias_.values.begin(), bias_.values.end(), 0.0F);
}

void Affine::forward_rows(std::int64_t first, std::int64_t rows, Matrix& to) const {
  fill_rows(bias_.values.data(), to.view(first, rows));
  multiply(input_->view(first, rows), weights_.matrix(), to.view(first, rows), Beta::one);
}

void Affine::forward(const Matrix& input, Matrix& to) {
  input_ = &input;
  to.set_shape(input.rows, outputs());
  forward_rows(0, input.rows, to);
}

void Affine::forward(const Matrix& input, Workers& workers, Matrix& to) {
  input_ = &input;
  to.set_shape(input.rows, outputs());
  for_blocks(input.rows, kAffineRowsAtOnce, workers,
             [&](std::int64_t first, std::int64_t end) { forward_rows(first, end - first, to); });
}

// Adds the gradient of `count` rows of the weights from `first` on.
void Affine::weight_gradient(const Matrix& gradient, std::int64_t first, std::int64_t count) {
  multiply(input_->view().transposed().row_range(first, count), gradient.view(),
           weights_.gradient_matrix().row_range(first, count), Beta::one);
}

void Affine::input_gradient_rows(const Matrix& gradient, std::int64_t first, std::int64_t rows,
                                 Matrix& input_gradient) const {
  multiply(gradient.view(first, rows), weights_.matrix().transposed(),
           input_gradient.view(first, rows));
}

void Affine::backward(const Matrix& gradient, Matrix* input_gradient) {
  weight_gradient(gradient, 0, inputs());
  add_column_sums(gradient.view(), bias_.gradient.data());
  if (input_gradient == nullptr) return;
  input_gradient->set_shape(gradient.rows, inputs());
  input_gradient_rows(gradient, 0, gradient.rows, *input_gradient);
}

void Affine::backward(const Matrix& gradient, Workers& workers, Matrix& input_gradient) {
  input_gradient.set_shape(gradient.rows, inputs());
  const std::int64_t row_pieces = block_count(gradient.rows, kAffineRowsAtOnce);
  const std::int64_t at_once = row_pieces == 1 ? inputs() : kAffineWeightsAtOnce;
  const std::int64_t weight_pieces = block_count(inputs(), at_once);
  workers.run(static_cast<std::size_t>(row_pieces + weight_pieces), [&](std::size_t job) {
    const auto piece = static_cast<std::int64_t>(job);
    if (piece < weight_pieces) {
      const std::int64_t first = piece * at_once;
      weight_gradient(gradient, first, std::min(at_once, inputs() - first));
      return;
    }
    const std::int64_t first = (piece - weight_pieces) * kAffineRowsAtOnce;
    input_gradient_rows(gradient, first, std::min(kAffineRowsAtOnce, gradient.rows - first),
                        input_gradient);
  });
  add_column_sums(gradient.view(), bias_.gradient.data());
}

void RectifiedLayer::forward(const Matrix& input, const PassOptions& options, Workers& workers,
                             Matrix& to) {
  linear_.forward(input, workers, to);
  relu(to.values);
  drop(options, dropout_, mask_id_, workers, to);
  outputs_ = &to;
}

void RectifiedLayer::backward(Matrix& gradient, const PassOptions& options, Workers& workers,
                              Matrix& input_gradient) {
  relu_backward(*outputs_, kept_factor(options, dropout_), gradient);
  linear_.backward(gradient, workers, input_gradient);
}

}  // namespace elmo
