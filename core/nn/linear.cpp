#include "core/nn/linear.h"

#include <algorithm>

#include "core/kernels/optimizer_kernels.h"
#include "core/kernels/sgemm.h"
#include "core/nn/initialize.h"

namespace elmo {

Linear::Linear(const std::string& name, std::int64_t inputs, std::int64_t outputs)
    : weights_(name + "/W", {inputs, outputs}), bias_(name + "/b", {outputs}) {
  bias_.decays = false;
}

void Linear::initialize(std::uint64_t seed) {
  initialize_glorot(weights_, seed);
  std::fill(bias_.values.begin(), bias_.values.end(), 0.0F);
}

void Linear::forward(const Matrix& input, Matrix& to) {
  input_ = &input;
  to.resize(input.rows, outputs());
  for (std::int64_t row = 0; row < to.rows; ++row) {
    std::copy(bias_.values.begin(), bias_.values.end(), to.row(row));
  }
  multiply({input.values.data(), inputs()}, {weights_.values.data(), outputs()}, input.rows,
           outputs(), inputs(), to.values.data(), outputs(), Result::added);
}

void Linear::backward(const Matrix& gradient, Matrix* input_gradient) {
  multiply({input_->values.data(), inputs(), true}, {gradient.values.data(), outputs()}, inputs(),
           outputs(), gradient.rows, weights_.gradient.data(), outputs(), Result::added);
  add_column_sums(gradient.values.data(), gradient.rows, outputs(), bias_.gradient.data());
  if (input_gradient == nullptr) return;
  input_gradient->resize(gradient.rows, inputs());
  multiply({gradient.values.data(), outputs()}, {weights_.values.data(), outputs(), true},
           gradient.rows, inputs(), outputs(), input_gradient->values.data(), inputs(),
           Result::replaced);
}

}  // namespace elmo
