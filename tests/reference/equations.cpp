#include "tests/reference/equations.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace elmo {
namespace {

constexpr int kReferenceBegin = 256;
constexpr int kReferenceEnd = 257;
constexpr int kBeginWordId = 258;
constexpr int kEndWordId = 259;
constexpr int kPaddingId = 260;

double clipped(double x, const std::optional<float>& limit) {
  if (!limit) return x;
  const double bound = static_cast<double>(*limit);
  return std::max(-bound, std::min(bound, x));
}

/// x · matrix, where the matrix has x.size() rows.
std::vector<double> product(const std::vector<double>& x, const std::vector<double>& matrix) {
  const std::size_t columns = matrix.size() / x.size();
  std::vector<double> y(columns, 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < columns; ++j) y[j] += x[i] * matrix[i * columns + j];
  }
  return y;
}

std::vector<double> sum(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> z(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) z[i] = x[i] + y[i];
  return z;
}

std::vector<double> affine(const std::vector<double>& x, const std::vector<double>& weights,
                           const std::vector<double>& bias) {
  return sum(product(x, weights), bias);
}

std::vector<int> padded(const std::vector<int>& inside, std::int64_t length) {
  std::vector<int> ids{kBeginWordId};
  for (const int id : inside) {
    if (static_cast<std::int64_t>(ids.size()) == length - 1) break;
    ids.push_back(id);
  }
  ids.push_back(kEndWordId);
  while (static_cast<std::int64_t>(ids.size()) < length) ids.push_back(kPaddingId);
  return ids;
}

}  // namespace

ReferenceParameters reference_parameters(const Parameters& parameters) {
  ReferenceParameters values;
  for (const Parameter& parameter : parameters.all()) {
    values[parameter.name].assign(parameter.values.begin(), parameter.values.end());
  }
  return values;
}

std::vector<int> reference_char_ids(std::string_view token, std::int64_t length) {
  std::vector<int> bytes;
  for (const char c : token) bytes.push_back(static_cast<unsigned char>(c));
  return padded(bytes, length);
}

std::vector<int> reference_boundary_ids(bool begin, std::int64_t length) {
  return padded({begin ? kReferenceBegin : kReferenceEnd}, length);
}

ReferenceState reference_zero_state(const LstmOptions& options) {
  const ReferenceCellState zero{
      std::vector<double>(static_cast<std::size_t>(options.projection_dim), 0.0),
      std::vector<double>(static_cast<std::size_t>(options.dim), 0.0)};
  ReferenceState state;
  for (auto& direction : state) {
    direction.assign(static_cast<std::size_t>(options.n_layers), zero);
  }
  return state;
}

std::vector<double> reference_encode(const ModelOptions& options,
                                     const ReferenceParameters& parameters,
                                     const std::vector<int>& char_ids) {
  const CharCnnOptions& cnn = *options.char_cnn;
  const auto c_size = static_cast<std::size_t>(cnn.embedding_dim);

  std::vector<std::vector<double>> characters;
  for (const int id : char_ids) {
    const auto begin = parameters.at("char_embed").begin() + id * cnn.embedding_dim;
    characters.emplace_back(begin, begin + cnn.embedding_dim);
  }

  std::vector<double> y;
  for (std::size_t bank = 0; bank < cnn.filters.size(); ++bank) {
    const auto width = static_cast<std::size_t>(cnn.filters[bank].width);
    const auto count = static_cast<std::size_t>(cnn.filters[bank].count);
    const std::vector<double>& weights = parameters.at("CNN/W_cnn_" + std::to_string(bank));
    const std::vector<double>& bias = parameters.at("CNN/b_cnn_" + std::to_string(bank));
    std::vector<double> best(count, -std::numeric_limits<double>::infinity());
    for (std::size_t at = 0; at + width <= characters.size(); ++at) {
      std::vector<double> response = bias;
      for (std::size_t w = 0; w < width; ++w) {
        for (std::size_t c = 0; c < c_size; ++c) {
          for (std::size_t n = 0; n < count; ++n) {
            response[n] += characters[at + w][c] * weights[(w * c_size + c) * count + n];
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
        affine(y, parameters.at(prefix + "W_carry"), parameters.at(prefix + "b_carry"));
    const std::vector<double> transform =
        affine(y, parameters.at(prefix + "W_transform"), parameters.at(prefix + "b_transform"));
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double g = reference_sigmoid(carry[i]);
      y[i] = g * std::max(transform[i], 0.0) + (1.0 - g) * y[i];
    }
  }
  if (static_cast<std::int64_t>(y.size()) != options.lstm.projection_dim) {
    y = affine(y, parameters.at("CNN_proj/W_proj"), parameters.at("CNN_proj/b_proj"));
  }
  return y;
}

std::vector<double> reference_lstm_step(const LstmOptions& options,
                                        const ReferenceParameters& parameters, int direction,
                                        std::int64_t layer, const std::vector<double>& x,
                                        ReferenceCellState& state) {
  const std::string prefix = "RNN_" + std::to_string(direction) + "/RNN/MultiRNNCell/Cell" +
                             std::to_string(layer) + "/LSTMCell/";
  const auto cells = static_cast<std::size_t>(options.dim);
  std::vector<double> both = x;
  both.insert(both.end(), state.h.begin(), state.h.end());
  const std::vector<double> z =
      affine(both, parameters.at(prefix + "W_0"), parameters.at(prefix + "B"));

  std::vector<double> h(cells);
  for (std::size_t d = 0; d < cells; ++d) {
    const double i = z[d];
    const double j = z[cells + d];
    const double f = z[2 * cells + d];
    const double o = z[3 * cells + d];
    const double c =
        reference_sigmoid(f + static_cast<double>(options.forget_offset)) * state.c[d] +
        reference_sigmoid(i) * std::tanh(j);
    state.c[d] = clipped(c, options.cell_clip);
    h[d] = reference_sigmoid(o) * std::tanh(state.c[d]);
  }
  if (options.has_projection()) {
    h = product(h, parameters.at(prefix + "W_P_0"));
    for (double& value : h) value = clipped(value, options.proj_clip);
  }
  state.h = h;
  return options.use_skip_connections && layer > 0 ? sum(h, x) : h;
}

}  // namespace elmo
