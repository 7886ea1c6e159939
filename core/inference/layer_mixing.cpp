#include "core/inference/layer_mixing.h"

#include <string>

#include "core/error.h"

namespace elmo {

LayerWeights layer_weights(std::size_t layers, const EmbedOptions& options) {
  LayerWeights result;
  result.layer_norm = options.layer_norm;
  result.boundaries = options.boundaries;
  switch (options.layers) {
    case LayerSelection::all:
      break;
    case LayerSelection::top:
      result.weights.assign(layers, 0.0F);
      result.weights.back() = 1.0F;
      break;
    case LayerSelection::average:
      result.weights.assign(layers, 1.0F / static_cast<float>(layers));
      break;
    case LayerSelection::mix: {
      std::vector<float> weights = options.mix_weights;
      if (weights.empty()) weights.assign(layers, 0.0F);
      if (weights.size() != layers) {
        throw RequestError("the mix has " + std::to_string(weights.size()) +
                           " weights, but the model has " + std::to_string(layers) +
                           " layers, the token layer included; expected one weight for each");
      }
      result.weights = scalar_mix_factors(weights, options.gamma);
      break;
    }
  }
  return result;
}

void mix_sentences(const ActivationBatch& batch, const ActivationLayout& layout,
                   const LayerWeights& weights, std::vector<float>& mixed) {
  const auto values = static_cast<std::size_t>(layout.values_per_token());
  const auto mixed_values = static_cast<std::size_t>(2 * layout.width);
  mixed.resize(batch.activations.size() / values * mixed_values);
  std::span<const float> rest = batch.activations;
  float* to = mixed.data();
  for (const Sentence& sentence : batch.sentences) {
    if (sentence.size() == 0) continue;
    mix_layers(rest.first(sentence.size() * values), layout.width, weights, to);
    rest = rest.subspan(sentence.size() * values);
    to += sentence.size() * mixed_values;
  }
}

}  // namespace elmo
