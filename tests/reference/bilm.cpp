#include "tests/reference/bilm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace elmo {
namespace {

constexpr int kBeginSentenceId = 256;
constexpr int kEndSentenceId = 257;
constexpr int kBeginWordId = 258;
constexpr int kEndWordId = 259;
constexpr int kPaddingId = 260;

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

double clipped(double x, const std::optional<float>& limit) {
  if (!limit) return x;
  const double bound = static_cast<double>(*limit);
  return std::max(-bound, std::min(bound, x));
}

std::vector<double> to_double(const AlignedVector<float>& values) {
  return {values.begin(), values.end()};
}

/// x · matrix, where the matrix has x.size() rows.
std::vector<double> product(const std::vector<double>& x, const AlignedVector<float>& matrix) {
  const std::size_t columns = matrix.size() / x.size();
  std::vector<double> y(columns, 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      y[j] += x[i] * static_cast<double>(matrix[i * columns + j]);
    }
  }
  return y;
}

std::vector<double> sum(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> z(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) z[i] = x[i] + y[i];
  return z;
}

std::vector<double> affine(const std::vector<double>& x, const Parameter& weights,
                           const Parameter& bias) {
  return sum(product(x, weights.values), to_double(bias.values));
}

std::vector<int> framed(const std::vector<int>& inside, std::int64_t length) {
  std::vector<int> ids{kBeginWordId};
  for (const int id : inside) {
    if (static_cast<std::int64_t>(ids.size()) == length - 1) break;
    ids.push_back(id);
  }
  ids.push_back(kEndWordId);
  while (static_cast<std::int64_t>(ids.size()) < length) ids.push_back(kPaddingId);
  return ids;
}

/// In place: mean 0 and variance 1 over all numbers of all tokens.
void normalise(std::vector<std::vector<double>>& layer) {
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

std::vector<int> reference_char_ids(std::string_view token, std::int64_t length) {
  std::vector<int> bytes;
  for (const char c : token) bytes.push_back(static_cast<unsigned char>(c));
  return framed(bytes, length);
}

ReferenceBilm::ReferenceBilm(ModelOptions options, const Parameters& parameters,
                             std::vector<std::string> words)
    : options_(std::move(options)), parameters_(parameters), words_(std::move(words)) {}

ReferenceState ReferenceBilm::zero_state() const {
  const auto h_size = static_cast<std::size_t>(options_.lstm.projection_dim);
  const auto c_size = static_cast<std::size_t>(options_.lstm.dim);
  const ReferenceCellState zero{std::vector<double>(h_size, 0.0), std::vector<double>(c_size, 0.0)};
  ReferenceState state;
  for (auto& direction : state) {
    direction.assign(static_cast<std::size_t>(options_.lstm.n_layers), zero);
  }
  return state;
}

ReferenceActivations ReferenceBilm::activations(const std::vector<std::string>& tokens,
                                                ReferenceState& state, bool boundaries) const {
  std::vector<std::vector<double>> x;
  if (options_.char_cnn) {
    const std::int64_t length = options_.char_cnn->max_characters_per_token;
    x.push_back(encode(framed({kBeginSentenceId}, length)));
    for (const std::string& token : tokens) x.push_back(token_vector(token));
    x.push_back(encode(framed({kEndSentenceId}, length)));
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
    return encode(reference_char_ids(token, options_.char_cnn->max_characters_per_token));
  }
  const bool reserved = token == "<S>" || token == "</S>";
  return word_row(reserved ? "<UNK>" : token);
}

std::vector<double> ReferenceBilm::word_row(std::string_view word) const {
  auto place = std::find(words_.begin(), words_.end(), word);
  if (place == words_.end()) place = std::find(words_.begin(), words_.end(), "<UNK>");
  const auto row = place - words_.begin();
  const auto begin =
      parameters_.at("embedding").values.begin() + row * options_.lstm.projection_dim;
  return {begin, begin + options_.lstm.projection_dim};
}

std::vector<double> ReferenceBilm::encode(const std::vector<int>& char_ids) const {
  const CharCnnOptions& cnn = *options_.char_cnn;
  const auto c_size = static_cast<std::size_t>(cnn.embedding_dim);

  std::vector<std::vector<double>> characters;
  for (const int id : char_ids) {
    const auto begin = parameters_.at("char_embed").values.begin() + id * cnn.embedding_dim;
    characters.emplace_back(begin, begin + cnn.embedding_dim);
  }

  std::vector<double> y;
  for (std::size_t bank = 0; bank < cnn.filters.size(); ++bank) {
    const auto width = static_cast<std::size_t>(cnn.filters[bank].width);
    const auto count = static_cast<std::size_t>(cnn.filters[bank].count);
    const AlignedVector<float>& weights =
        parameters_.at("CNN/W_cnn_" + std::to_string(bank)).values;
    const AlignedVector<float>& bias = parameters_.at("CNN/b_cnn_" + std::to_string(bank)).values;
    std::vector<double> best(count, -std::numeric_limits<double>::infinity());
    for (std::size_t at = 0; at + width <= characters.size(); ++at) {
      std::vector<double> response(bias.begin(), bias.end());
      for (std::size_t w = 0; w < width; ++w) {
        for (std::size_t c = 0; c < c_size; ++c) {
          for (std::size_t n = 0; n < count; ++n) {
            response[n] +=
                characters[at + w][c] * static_cast<double>(weights[(w * c_size + c) * count + n]);
          }
        }
      }
      for (std::size_t n = 0; n < count; ++n) best[n] = std::max(best[n], response[n]);
    }
    for (const double value : best) {
      y.push_back(cnn.activation == Activation::relu ? std::max(value, 0.0) : std::tanh(value));
    }
  }

  for (std::int64_t k = 0; k < cnn.n_highway; ++k) {
    const std::string prefix = "CNN_high_" + std::to_string(k) + "/";
    const std::vector<double> carry =
        affine(y, parameters_.at(prefix + "W_carry"), parameters_.at(prefix + "b_carry"));
    const std::vector<double> transform =
        affine(y, parameters_.at(prefix + "W_transform"), parameters_.at(prefix + "b_transform"));
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double g = sigmoid(carry[i]);
      y[i] = g * std::max(transform[i], 0.0) + (1.0 - g) * y[i];
    }
  }
  if (static_cast<std::int64_t>(y.size()) != options_.lstm.projection_dim) {
    y = affine(y, parameters_.at("CNN_proj/W_proj"), parameters_.at("CNN_proj/b_proj"));
  }
  return y;
}

std::vector<double> ReferenceBilm::lstm_step(int direction, std::int64_t layer,
                                             const std::vector<double>& x,
                                             ReferenceCellState& state) const {
  const std::string prefix = "RNN_" + std::to_string(direction) + "/RNN/MultiRNNCell/Cell" +
                             std::to_string(layer) + "/LSTMCell/";
  const auto cells = static_cast<std::size_t>(options_.lstm.dim);
  std::vector<double> both = x;
  both.insert(both.end(), state.h.begin(), state.h.end());
  const std::vector<double> z =
      affine(both, parameters_.at(prefix + "W_0"), parameters_.at(prefix + "B"));

  std::vector<double> h(cells);
  for (std::size_t d = 0; d < cells; ++d) {
    const double i = z[d];
    const double j = z[cells + d];
    const double f = z[2 * cells + d];
    const double o = z[3 * cells + d];
    const double c = sigmoid(f + 1.0) * state.c[d] + sigmoid(i) * std::tanh(j);
    state.c[d] = clipped(c, options_.lstm.cell_clip);
    h[d] = sigmoid(o) * std::tanh(state.c[d]);
  }
  if (options_.lstm.dim != options_.lstm.projection_dim) {
    h = product(h, parameters_.at(prefix + "W_P_0").values);
    for (double& value : h) value = clipped(value, options_.lstm.proj_clip);
  }
  state.h = h;
  return h;
}

std::vector<std::vector<double>> ReferenceBilm::lstm_layer(
    int direction, std::int64_t layer, const std::vector<std::vector<double>>& inputs,
    ReferenceCellState& state) const {
  std::vector<std::vector<double>> outputs;
  for (const std::vector<double>& x : inputs) {
    const std::vector<double> y = lstm_step(direction, layer, x, state);
    const bool skip = options_.lstm.use_skip_connections && layer > 0;
    outputs.push_back(skip ? sum(y, x) : y);
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
    if (layer_norm) normalise(layers[j]);
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
