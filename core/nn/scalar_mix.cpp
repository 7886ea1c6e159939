#include "core/nn/scalar_mix.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace elmo {

namespace {

// Returns Σ a_i·b_i, with several partial sums so that the compiler vectorizes it.
double inner_product(const float* a, const float* b, std::int64_t size) {
  constexpr std::int64_t kSums = 16;
  std::array<float, kSums> sums{};
  std::int64_t i = 0;
  for (; i + kSums <= size; i += kSums) {
    for (std::int64_t lane = 0; lane < kSums; ++lane) {
      sums[static_cast<std::size_t>(lane)] += a[i + lane] * b[i + lane];
    }
  }
  double sum = 0.0;
  for (const float part : sums) sum += part;
  for (; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

// Layer normalization of a layer's values h: (h − mean) · factor.
struct LayerNormal {
  double mean = 0;
  double factor = 1;
};

// The index of a token's row that holds half 0 (forward) or 1 (backward) of h_j.
std::int64_t activation_row(std::int64_t layer, std::int64_t half) {
  return layer == 0 ? 0 : 2 * layer - 1 + half;
}

// The normalization of layer j of activations [tokens, rows, P] of one sentence.
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

}  // namespace

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
  std::span<const float> normalized = activations;
  if (layers.boundaries && tokens > 2) {
    const auto boundary = static_cast<std::size_t>(values_per_token);
    normalized = activations.subspan(boundary, activations.size() - 2 * boundary);
  }
  for (std::int64_t layer = 0; layer < layer_count; ++layer) {
    const float weight = layers.weights[static_cast<std::size_t>(layer)];
    const LayerNormal normal =
        layers.layer_norm ? layer_normal(normalized, projection_dim, rows, layer) : LayerNormal{};
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

void concatenate_layers(std::span<const float> activations, std::int64_t projection_dim,
                        bool layer_norm, FloatView to) {
  const std::int64_t rows = to.columns / projection_dim;
  for (std::int64_t layer = 0; 2 * layer < rows; ++layer) {
    const LayerNormal normal =
        layer_norm ? layer_normal(activations, projection_dim, rows, layer) : LayerNormal{};
    // The rows of a layer are neighbors: one of the token layer, two of all others.
    const std::int64_t begin = std::max<std::int64_t>(0, 2 * layer - 1) * projection_dim;
    const std::int64_t end = (2 * layer + 1) * projection_dim;
    for (std::int64_t token = 0; token < to.rows; ++token) {
      const float* from = activations.data() + token * to.columns;
      float* values = to.values + token * to.stride;
      for (std::int64_t column = begin; column < end; ++column) {
        values[column] = static_cast<float>((from[column] - normal.mean) * normal.factor);
      }
    }
  }
}

ScalarMix::ScalarMix(const std::string& name, Options options)
    : options_(std::move(options)),
      weights_(name + "/w", {options_.layers + 1}),
      gamma_(name + "/gamma", {1}) {
  weights_.decays = gamma_.decays = false;
  gamma_.values[0] = 1.0F;
}

std::vector<Parameter*> ScalarMix::parameters() {
  if (options_.fixed_shares) return {&gamma_};
  return {&weights_, &gamma_};
}

std::vector<float> ScalarMix::shares() const {
  if (options_.fixed_shares) return *options_.fixed_shares;
  return scalar_mix_factors(weights_.values, 1.0F);
}

void ScalarMix::forward(std::span<const std::span<const float>> activations,
                        const PassOptions& options, Matrix& to, std::int64_t column) {
  activations_.assign(activations.begin(), activations.end());
  LayerWeights factors;
  factors.weights = shares();
  for (float& factor : factors.weights) factor *= gamma();
  factors.layer_norm = options_.layer_norm;
  std::int64_t row = 0;
  for (const std::span<const float> sentence : activations_) {
    const std::int64_t tokens = token_count(sentence);
    grow(mixed_, tokens * columns());
    mix_layers(sentence, options_.projection, factors, mixed_.data());
    copy_rows({mixed_.data(), tokens, columns()},
              to.view(row, tokens).column_range(column, columns()));
    row += tokens;
  }
  drop_columns(options, options_.dropout, options_.mask_id, to, column, columns());
}

std::int64_t ScalarMix::token_count(std::span<const float> sentence) const {
  return static_cast<std::int64_t>(sentence.size()) / (activation_rows() * options_.projection);
}

// Returns, for each layer j, Σ over all tokens of the product of the gradient and h_j.
std::vector<double> ScalarMix::layer_products(const Matrix& gradient, std::int64_t column) const {
  const std::int64_t projection = options_.projection;
  std::vector<double> products(static_cast<std::size_t>(options_.layers + 1), 0.0);
  std::int64_t first = 0;
  for (const std::span<const float> sentence : activations_) {
    const std::int64_t tokens = token_count(sentence);
    double gradient_sum = 0.0;
    for (std::int64_t token = 0; options_.layer_norm && token < tokens; ++token) {
      const float* values = gradient.row(first + token) + column;
      for (std::int64_t i = 0; i < columns(); ++i) gradient_sum += values[i];
    }
    for (std::int64_t layer = 0; layer <= options_.layers; ++layer) {
      double product = 0.0;
      for (std::int64_t token = 0; token < tokens; ++token) {
        const float* values = gradient.row(first + token) + column;
        for (std::int64_t half = 0; half < 2; ++half) {
          const std::int64_t row = token * activation_rows() + activation_row(layer, half);
          product += inner_product(values + half * projection, sentence.data() + row * projection,
                                   projection);
        }
      }
      if (options_.layer_norm) {
        const LayerNormal normal = layer_normal(sentence, projection, activation_rows(), layer);
        product = normal.factor * (product - normal.mean * gradient_sum);
      }
      products[static_cast<std::size_t>(layer)] += product;
    }
    first += tokens;
  }
  return products;
}

double ScalarMix::backward(Matrix& gradient, std::int64_t column, const PassOptions& options) {
  drop_columns(options, options_.dropout, options_.mask_id, gradient, column, columns());
  const std::vector<double> products = layer_products(gradient, column);
  const std::vector<float> shares = this->shares();
  double mean = 0.0;
  for (std::size_t layer = 0; layer < shares.size(); ++layer) {
    mean += shares[layer] * products[layer];
  }
  gamma_.gradient[0] += static_cast<float>(mean);
  if (options_.fixed_shares) return 0.0;
  for (std::size_t layer = 0; layer < shares.size(); ++layer) {
    weights_.gradient[layer] +=
        static_cast<float>(gamma() * shares[layer] * (products[layer] - mean));
  }
  return penalty();
}

// Returns λ‖w‖² and adds its gradient.
double ScalarMix::penalty() {
  double sum = 0.0;
  for (std::size_t layer = 0; layer < weights_.values.size(); ++layer) {
    const float weight = weights_.values[layer];
    sum += double{weight} * weight;
    weights_.gradient[layer] += 2.0F * options_.lambda * weight;
  }
  return options_.lambda * sum;
}

}  // namespace elmo
