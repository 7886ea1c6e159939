#include "core/nn/bilstm_stack.h"

#include <utility>

#include "core/nn/dropout.h"

namespace elmo {

BiLstmStack::BiLstmStack(const std::string& name, const Options& options)
    : dropout_(options.dropout), place_(options.place) {
  std::int64_t inputs = options.inputs;
  for (std::int64_t layer = 0; layer < options.layers; ++layer) {
    lstms_.emplace_back(name + "_" + std::to_string(layer + 1), inputs, options.cells);
    inputs = 2 * options.cells;
  }
  between_.resize(lstms_.size() - 1);
}

std::vector<Parameter*> BiLstmStack::parameters() {
  std::vector<Parameter*> all;
  for (BiLstm& lstm : lstms_) {
    for (Parameter* parameter : lstm.parameters()) all.push_back(parameter);
  }
  return all;
}

void BiLstmStack::initialize(std::uint64_t seed) {
  for (BiLstm& lstm : lstms_) lstm.initialize(seed);
}

std::uint32_t BiLstmStack::place_behind(std::size_t layer) const {
  return place_ + static_cast<std::uint32_t>(layer);
}

void BiLstmStack::forward(const Matrix& input, const Sequences& sequences,
                          const PassOptions& options, Workers& workers, Matrix& to) {
  const Matrix* from = &input;
  for (std::size_t layer = 0; layer < lstms_.size(); ++layer) {
    const bool last = layer + 1 == lstms_.size();
    Matrix& outputs = last ? to : between_[layer];
    lstms_[layer].forward(*from, sequences, workers, outputs);
    if (!last) drop(options, dropout_, place_behind(layer), workers, outputs);
    from = &outputs;
  }
}

void BiLstmStack::backward(Matrix& gradient, const PassOptions& options, Workers& workers,
                           Matrix& input_gradient) {
  for (std::size_t layer = lstms_.size(); layer-- > 0;) {
    lstms_[layer].backward(gradient, workers, &input_gradient);
    if (layer == 0) return;
    std::swap(gradient, input_gradient);
    drop(options, dropout_, place_behind(layer - 1), workers, gradient);
  }
}

}  // namespace elmo
