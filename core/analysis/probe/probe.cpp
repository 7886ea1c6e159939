#include "core/analysis/probe/probe.h"

#include <algorithm>
#include <iterator>

#include "core/nn/softmax_cross_entropy.h"

namespace elmo {

Probe::Probe(const ProbedLayer& layer, const BilmShape& bilm, std::int64_t labels, float factor)
    : layer_(layer), factor_(factor), linear_(layer.name, layer.columns, labels) {
  if (!layer.mixed) return;
  ScalarMix::Options options;
  options.layers = bilm.layers;
  options.projection = bilm.projection;
  mix_.emplace(layer.name, options);
}

std::vector<Parameter*> Probe::parameters() {
  std::vector<Parameter*> parameters = linear_.parameters();
  if (mix_) std::ranges::copy(mix_->parameters(), std::back_inserter(parameters));
  return parameters;
}

void Probe::forward(std::span<const float> activations, std::int64_t tokens) {
  input_.resize(tokens, layer_.columns);
  if (mix_) {
    mix_->forward(std::span(&activations, 1), input_, 0);
  } else {
    const auto values = static_cast<std::int64_t>(activations.size()) / tokens;
    for (std::int64_t token = 0; token < tokens; ++token) {
      std::copy_n(activations.data() + token * values + layer_.column, layer_.columns,
                  input_.row(token));
    }
  }
  for (float& value : input_.values) value *= factor_;
  linear_.forward(input_, logits_);
}

double Probe::train(std::span<const float> activations, std::span<const std::int32_t> labels) {
  const auto tokens = static_cast<std::int64_t>(labels.size());
  forward(activations, tokens);
  const float scale = 1.0F / static_cast<float>(tokens);
  const double loss = softmax_cross_entropy(logits_, labels, scale);
  linear_.backward(logits_, mix_ ? &input_gradient_ : nullptr);
  if (mix_) {
    for (float& value : input_gradient_.values) value *= factor_;
    mix_->backward(input_gradient_, 0);
  }
  return loss / static_cast<double>(tokens);
}

void Probe::predict(std::span<const float> activations, std::span<std::int32_t> labels) {
  forward(activations, static_cast<std::int64_t>(labels.size()));
  for (std::size_t token = 0; token < labels.size(); ++token) {
    const float* logits = logits_.row(static_cast<std::int64_t>(token));
    labels[token] =
        static_cast<std::int32_t>(std::max_element(logits, logits + logits_.columns) - logits);
  }
}

std::vector<float> Probe::shares() const { return mix_ ? mix_->shares() : std::vector<float>{}; }

}  // namespace elmo
