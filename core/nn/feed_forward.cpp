#include "core/nn/feed_forward.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/kernels/optimizer_kernels.h"
#include "core/kernels/product.h"

namespace elmo {

void Maxout::forward(const Matrix& in, Matrix& out) {
  out.resize(in.rows, in.columns / pool_);
  where_.resize(out.values.size());
  for (std::size_t i = 0; i < where_.size(); ++i) {
    const std::int64_t begin = static_cast<std::int64_t>(i) * pool_;
    std::int64_t best = begin;
    for (std::int64_t k = begin + 1; k < begin + pool_; ++k) {
      const float value = in.values[static_cast<std::size_t>(k)];
      if (value > in.values[static_cast<std::size_t>(best)] || std::isnan(value)) best = k;
    }
    where_[i] = best;
    out.values[i] = in.values[static_cast<std::size_t>(best)];
  }
}

void Maxout::backward(const Matrix& out_gradient, Matrix& in_gradient) const {
  in_gradient.resize(out_gradient.rows, out_gradient.columns * pool_);
  for (std::size_t i = 0; i < where_.size(); ++i) {
    in_gradient.values[static_cast<std::size_t>(where_[i])] = out_gradient.values[i];
  }
}

MaxoutNetwork::MaxoutNetwork(const std::string& name, const Options& options)
    : dropout_(options.dropout), mask_id_(options.mask_id) {
  std::int64_t inputs = options.inputs;
  for (std::size_t layer = 0; layer < options.outputs.size(); ++layer) {
    const std::int64_t outputs = options.outputs[layer];
    layers_.push_back(
        {Affine(name + "_" + std::to_string(layer + 1), inputs, outputs * options.pool),
         Maxout(options.pool),
         {}});
    inputs = outputs;
  }
}

std::uint32_t MaxoutNetwork::mask_id_after(std::size_t layer) const {
  return mask_id_ + static_cast<std::uint32_t>(layer);
}

void MaxoutNetwork::forward(const Matrix& input, const PassOptions& options, Workers& workers,
                            Matrix& to) {
  const Matrix* from = &input;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    Layer& layer = layers_[i];
    const bool last = i + 1 == layers_.size();
    Matrix& outputs = last ? to : layer.outputs;
    layer.linear.forward(*from, sums_);
    layer.maxout.forward(sums_, outputs);
    if (!last) drop(options, dropout_, mask_id_after(i), workers, outputs);
    from = &outputs;
  }
}

void MaxoutNetwork::backward(Matrix& gradient, const PassOptions& options, Workers& workers,
                             Matrix& input_gradient) {
  for (std::size_t i = layers_.size(); i-- > 0;) {
    layers_[i].maxout.backward(gradient, sums_);
    layers_[i].linear.backward(sums_, &input_gradient);
    if (i == 0) return;
    std::swap(gradient, input_gradient);
    drop(options, dropout_, mask_id_after(i - 1), workers, gradient);
  }
}

ScoreNetwork::ScoreNetwork(const std::string& name, std::int64_t columns, float dropout,
                           std::uint32_t mask_id)
    : dropout_(dropout),
      mask_id_(mask_id),
      hidden_weights_(name + "/hidden/W", {columns, columns}),
      hidden_bias_(name + "/hidden/b", {columns}),
      score_weights_(name + "/score/W", {columns}),
      score_bias_(name + "/score/b", {1}) {
  hidden_bias_.decays = false;
  score_bias_.decays = false;
}

std::vector<Parameter*> ScoreNetwork::parameters() {
  return {&hidden_weights_, &hidden_bias_, &score_weights_, &score_bias_};
}

void ScoreNetwork::initialize(std::uint64_t seed) {
  initialize_glorot(hidden_weights_, seed);
  fill_uniform(score_weights_.values, std::sqrt(6.0F / static_cast<float>(columns() + 1)),
               parameter_key(score_weights_, seed));
  std::fill(hidden_bias_.values.begin(), hidden_bias_.values.end(), 0.0F);
  score_bias_.values[0] = 0.0F;
}

void ScoreNetwork::forward(Matrix& sums, const PassOptions& options, Workers& workers,
                           AlignedVector<float>& scores) {
  const std::int64_t width = columns();
  relu(sums.values);
  drop(options, dropout_, mask_id_, workers, sums);
  first_ = &sums;
  hidden_.set_shape(sums.rows, width);
  fill_rows(hidden_bias_.values.data(), hidden_.view());
  multiply(sums.view(), hidden_weights_.matrix(), hidden_.view(), Beta::one, workers);
  relu(hidden_.values);
  drop(options, dropout_, mask_id_ + 1, workers, hidden_);
  scores.assign(static_cast<std::size_t>(sums.rows), score_bias_.values[0]);
  multiply(hidden_.view(), score_weights_.matrix(), {scores.data(), sums.rows, 1}, Beta::one,
           workers);
}

void ScoreNetwork::score(float* sums, std::int64_t rows, AlignedVector<float>& hidden,
                         float* scores) const {
  const std::int64_t width = columns();
  const auto size = static_cast<std::size_t>(rows * width);
  relu({sums, size});
  grow(hidden, rows * width);
  fill_rows(hidden_bias_.values.data(), {hidden.data(), rows, width});
  multiply({sums, rows, width}, hidden_weights_.matrix(), {hidden.data(), rows, width}, Beta::one);
  relu(std::span(hidden).first(size));
  std::fill_n(scores, rows, score_bias_.values[0]);
  multiply({hidden.data(), rows, width}, score_weights_.matrix(), {scores, rows, 1}, Beta::one);
}

void ScoreNetwork::backward(const AlignedVector<float>& gradient, const PassOptions& options,
                            Workers& workers, Matrix& sum_gradient) {
  const std::int64_t rows = first_->rows;
  const std::int64_t width = columns();
  for (std::int64_t r = 0; r < rows; ++r) {
    score_bias_.gradient[0] += gradient[static_cast<std::size_t>(r)];
  }
  multiply({gradient.data(), 1, rows}, hidden_.view(), {score_weights_.gradient.data(), 1, width},
           Beta::one);
  hidden_gradient_.set_shape(rows, width);
  multiply({gradient.data(), rows, 1}, {score_weights_.values.data(), 1, width},
           hidden_gradient_.view(), Beta::zero, workers);
  const float kept = kept_factor(options, dropout_);
  relu_backward(hidden_, kept, hidden_gradient_);
  add_column_sums(hidden_gradient_.view(), hidden_bias_.gradient.data());
  multiply(first_->view().transposed(), hidden_gradient_.view(), hidden_weights_.gradient_matrix(),
           Beta::one, workers);
  sum_gradient.set_shape(rows, width);
  multiply(hidden_gradient_.view(), hidden_weights_.matrix().transposed(), sum_gradient.view(),
           Beta::zero, workers);
  relu_backward(*first_, kept, sum_gradient);
}

}  // namespace elmo
