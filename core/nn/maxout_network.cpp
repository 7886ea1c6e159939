#include "core/nn/maxout_network.h"

#include <utility>

#include "core/nn/dropout.h"

namespace elmo {

MaxoutNetwork::MaxoutNetwork(const std::string& name, const Options& options)
    : dropout_(options.dropout), place_(options.place) {
  std::int64_t inputs = options.inputs;
  for (std::size_t layer = 0; layer < options.outputs.size(); ++layer) {
    const std::int64_t outputs = options.outputs[layer];
    layers_.push_back(
        {Linear(name + "_" + std::to_string(layer + 1), inputs, outputs * options.pool),
         Maxout(options.pool),
         {}});
    inputs = outputs;
  }
}

std::vector<Parameter*> MaxoutNetwork::parameters() {
  std::vector<Parameter*> all;
  for (Layer& layer : layers_) {
    for (Parameter* parameter : layer.linear.parameters()) all.push_back(parameter);
  }
  return all;
}

void MaxoutNetwork::initialize(std::uint64_t seed) {
  for (Layer& layer : layers_) layer.linear.initialize(seed);
}

std::uint32_t MaxoutNetwork::place_behind(std::size_t layer) const {
  return place_ + static_cast<std::uint32_t>(layer);
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
    if (!last) drop(options, dropout_, place_behind(i), workers, outputs);
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
    drop(options, dropout_, place_behind(i - 1), workers, gradient);
  }
}

}  // namespace elmo
