#include "core/nn/mix_layers.h"

#include <algorithm>
#include <cmath>

namespace elmo {

std::int64_t activation_row(std::int64_t layer, std::int64_t half) {
  return layer == 0 ? 0 : 2 * layer - 1 + half;
}

LayerNormal layer_normal(std::span<const float> activations, std::int64_t projection_dim,
                         std::int64_t rows, std::int64_t layer) {
  const std::int64_t values_per_token = rows * projection_dim;
  const auto tokens = static_cast<std::int64_t>(activations.size()) / values_per_token;
  const auto count = static_cast<double>(2 * tokens * projection_dim);
  const auto over_layer = [&](auto term) {
    double sum = 0;
    for (std::int64_t token = 0; token < tokens; ++token) {
      for (std::int64_t half = 0; half < 2; ++half) {
        const float* values = activations.data() + token * values_per_token +
                              activation_row(layer, half) * projection_dim;
        for (std::int64_t p = 0; p < projection_dim; ++p) sum += term(double{values[p]});
      }
    }
    return sum / count;
  };
  const double mean = over_layer([](double value) { return value; });
  const double variance =
      over_layer([mean](double value) { return (value - mean) * (value - mean); });
  return {mean, 1.0 / std::sqrt(variance + 1e-12)};
}

std::vector<float> scalar_mix_factors(std::span<const float> weights, float gamma) {
  const double largest = *std::max_element(weights.begin(), weights.end());
  double sum = 0;
  for (const float weight : weights) sum += std::exp(double{weight} - largest);
  std::vector<float> factors;
  for (const float weight : weights) {
    factors.push_back(static_cast<float>(gamma * std::exp(double{weight} - largest) / sum));
  }
  return factors;
}

void mix_layers(std::span<const float> activations, std::int64_t projection_dim,
                const LayerWeights& layers, float* to) {
  const auto layer_count = static_cast<std::int64_t>(layers.weights.size());
  const std::int64_t rows = 2 * layer_count - 1;
  const std::int64_t values_per_token = rows * projection_dim;
  const auto tokens = static_cast<std::int64_t>(activations.size()) / values_per_token;
  std::fill_n(to, tokens * 2 * projection_dim, 0.0F);
  std::span<const float> normalised = activations;
  if (layers.boundaries && tokens > 2) {
    const auto boundary = static_cast<std::size_t>(values_per_token);
    normalised = activations.subspan(boundary, activations.size() - 2 * boundary);
  }
  for (std::int64_t layer = 0; layer < layer_count; ++layer) {
    const float weight = layers.weights[static_cast<std::size_t>(layer)];
    const LayerNormal normal =
        layers.layer_norm ? layer_normal(normalised, projection_dim, rows, layer) : LayerNormal{};
    const auto factor = static_cast<float>(weight * normal.factor);
    const auto shift = static_cast<float>(-weight * normal.factor * normal.mean);
    if (weight == 0.0F) continue;
    for (std::int64_t token = 0; token < tokens; ++token) {
      for (std::int64_t half = 0; half < 2; ++half) {
        const float* values = activations.data() + token * values_per_token +
                              activation_row(layer, half) * projection_dim;
        float* sums = to + (2 * token + half) * projection_dim;
        for (std::int64_t p = 0; p < projection_dim; ++p) sums[p] += factor * values[p] + shift;
      }
    }
  }
}

}  // namespace elmo
