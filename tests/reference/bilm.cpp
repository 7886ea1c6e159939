#include "tests/reference/bilm.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace elmo {
namespace {

/// Normalizes in place to mean 0 and variance 1 over all numbers of all tokens.
void normalize(std::vector<std::vector<double>>& layer) {
  double count = 0.0;
  double mean = 0.0;
  for (const auto& vector : layer) {
    for (const double x : vector) {
      mean += x;
      count += 1.0;
    }
  }
  mean /= count;
  double variance = 0.0;
  for (const auto& vector : layer) {
    for (const double x : vector) variance += (x - mean) * (x - mean);
  }
  variance /= count;
  for (auto& vector : layer) {
    for (double& x : vector) x = (x - mean) / std::sqrt(variance + 1e-12);
  }
}

}  // namespace

ReferenceBilm::ReferenceBilm(ModelOptions options, const Parameters& parameters,
                             std::vector<std::string> words)
    : options_(std::move(options)),
      parameters_(reference_parameters(parameters)),
      words_(std::move(words)) {}

ReferenceState ReferenceBilm::zero_state() const { return reference_zero_state(options_.lstm); }

ReferenceActivations ReferenceBilm::activations(const std::vector<std::string>& tokens,
                                                ReferenceState& state, bool boundaries) const {
  std::vector<std::vector<double>> x;
  if (options_.char_cnn) {
    const std::int64_t length = options_.char_cnn->max_characters_per_token;
    x.push_back(reference_encode(options_, parameters_, reference_boundary_ids(true, length)));
    for (const std::string& token : tokens) x.push_back(token_vector(token));
    x.push_back(reference_encode(options_, parameters_, reference_boundary_ids(false, length)));
  } else {
    x.push_back(word_row("<S>"));
    for (const std::string& token : tokens) x.push_back(token_vector(token));
    x.push_back(word_row("</S>"));
  }

  ReferenceActivations result(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) result[k].push_back(x[k]);
  std::vector<std::vector<double>> forward = x;
  std::vector<std::vector<double>> backward(x.rbegin(), x.rend());
  for (std::int64_t layer = 0; layer < options_.lstm.n_layers; ++layer) {
    const auto index = static_cast<std::size_t>(layer);
    forward = lstm_layer(0, layer, forward, state[0][index]);
    backward = lstm_layer(1, layer, backward, state[1][index]);
    for (std::size_t k = 0; k < x.size(); ++k) {
      result[k].push_back(forward[k]);
      result[k].push_back(backward[x.size() - 1 - k]);
    }
  }
  if (!boundaries) {
    result.erase(result.begin());
    result.pop_back();
  }
  return result;
}

std::vector<double> ReferenceBilm::token_vector(std::string_view token) const {
  if (options_.char_cnn) {
    return reference_encode(options_, parameters_,
                            reference_char_ids(token, options_.char_cnn->max_characters_per_token));
  }
  const bool reserved = token == "<S>" || token == "</S>";
  return word_row(reserved ? "<UNK>" : token);
}

std::vector<double> ReferenceBilm::word_row(std::string_view word) const {
  auto place = std::find(words_.begin(), words_.end(), word);
  if (place == words_.end()) place = std::find(words_.begin(), words_.end(), "<UNK>");
  const auto row = place - words_.begin();
  const auto begin = parameters_.at("embedding").begin() + row * options_.lstm.projection_dim;
  return {begin, begin + options_.lstm.projection_dim};
}

std::vector<std::vector<double>> ReferenceBilm::lstm_layer(
    int direction, std::int64_t layer, const std::vector<std::vector<double>>& inputs,
    ReferenceCellState& state) const {
  std::vector<std::vector<double>> outputs;
  for (const std::vector<double>& x : inputs) {
    outputs.push_back(reference_lstm_step(options_.lstm, parameters_, direction, layer, x, state));
  }
  return outputs;
}

std::vector<std::vector<std::vector<double>>> reference_layers(
    const ReferenceActivations& activations) {
  std::vector<std::vector<std::vector<double>>> layers;
  if (activations.empty()) return layers;
  for (std::size_t j = 0; j < activations[0].size(); j += 2) {
    std::vector<std::vector<double>> layer;
    for (const auto& rows : activations) {
      std::vector<double> h = rows[j == 0 ? 0 : j - 1];
      h.insert(h.end(), rows[j].begin(), rows[j].end());
      layer.push_back(h);
    }
    layers.push_back(layer);
  }
  return layers;
}

std::vector<std::vector<double>> reference_top(const ReferenceActivations& activations) {
  if (activations.empty()) return {};
  return reference_layers(activations).back();
}

std::vector<std::vector<double>> reference_mix(const ReferenceActivations& activations,
                                               const std::vector<double>& weights, double gamma,
                                               bool layer_norm) {
  if (activations.empty()) return {};
  std::vector<std::vector<std::vector<double>>> layers = reference_layers(activations);
  double total = 0.0;
  for (const double w : weights) total += std::exp(w);
  std::vector<std::vector<double>> mix(activations.size(),
                                       std::vector<double>(layers[0][0].size(), 0.0));
  for (std::size_t j = 0; j < layers.size(); ++j) {
    if (layer_norm) normalize(layers[j]);
    for (std::size_t k = 0; k < mix.size(); ++k) {
      for (std::size_t i = 0; i < mix[k].size(); ++i) {
        mix[k][i] += gamma * std::exp(weights[j]) / total * layers[j][k][i];
      }
    }
  }
  return mix;
}

std::vector<std::vector<double>> reference_average(const ReferenceActivations& activations,
                                                   bool layer_norm) {
  if (activations.empty()) return {};
  const std::size_t layers = (activations[0].size() + 1) / 2;
  return reference_mix(activations, std::vector<double>(layers, 0.0), 1.0, layer_norm);
}

}  // namespace elmo
