#include "core/model/initialize.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace elmo {
namespace {

// The standard specifies the engine's numbers, but not those of its distributions or the last bit
// of std::log. The code below uses only integer arithmetic, single operations that IEEE 754 rounds
// correctly, and explicit fused multiply-adds, so a seed gives the same values everywhere.
using Engine = std::mt19937_64;

/// Two numbers in [-1, 1), each a multiple of 2^-31.
struct Pair {
  double first;
  double second;
};

Pair uniform_pair(Engine& engine) {
  const std::uint64_t bits = engine();
  constexpr double kScale = 0x1p-31;
  return {static_cast<double>(static_cast<std::int32_t>(bits >> 32U)) * kScale,
          static_cast<double>(static_cast<std::int32_t>(bits & 0xFFFFFFFFU)) * kScale};
}

/// Returns the natural logarithm of x > 0, within a few units in the last place. With x = m · 2^e
/// and m in [1/2, 1), ln m = -2 artanh((1 - m) / (1 + m)), computed by its power series.
double portable_log(double x) {
  int exponent = 0;
  const double m = std::frexp(x, &exponent);
  const double z = (1.0 - m) / (1.0 + m);
  const double z2 = z * z;
  double series = 0.0;
  for (int n = 31; n >= 1; n -= 2) series = std::fma(series, z2, 1.0 / n);
  constexpr double kLog2 = 0x1.62e42fefa39efp-1;
  return std::fma(static_cast<double>(exponent), kLog2, -2.0 * z * series);
}

/// Draws two independent numbers from the standard normal distribution with the polar method of
/// Marsaglia and Bray (1964).
Pair normal_pair(Engine& engine) {
  while (true) {
    const Pair point = uniform_pair(engine);
    const double square = std::fma(point.first, point.first, point.second * point.second);
    if (square >= 1.0 || square == 0.0) continue;
    const double factor = std::sqrt(-2.0 * portable_log(square) / square);
    return {point.first * factor, point.second * factor};
  }
}

template <typename Draw>
void fill(std::span<float> values, double scale, Engine& engine, const Draw& draw) {
  for (std::size_t i = 0; i < values.size(); i += 2) {
    const Pair pair = draw(engine);
    values[i] = static_cast<float>(pair.first * scale);
    if (i + 1 < values.size()) values[i + 1] = static_cast<float>(pair.second * scale);
  }
}

void fill_uniform(std::span<float> values, double limit, Engine& engine) {
  fill(values, limit, engine, uniform_pair);
}

void fill_normal(std::span<float> values, double deviation, Engine& engine) {
  fill(values, deviation, engine, normal_pair);
}

/// Glorot initialization (Glorot and Bengio 2010), TensorFlow's default if a graph names no
/// initializer.
void fill_glorot_uniform(ModelParameter& parameter, Engine& engine) {
  const std::int64_t rows = parameter.shape[0];
  const std::int64_t columns = parameter.shape[1];
  fill_uniform(parameter.values, std::sqrt(6.0 / static_cast<double>(rows + columns)), engine);
}

}  // namespace

void initialize(Parameters& parameters, const ModelOptions& options, std::uint64_t seed) {
  Engine engine(seed);
  for (ModelParameter& parameter : parameters.all()) {
    const std::vector<std::int64_t>& shape = parameter.shape;
    switch (parameter.role) {
      case ParameterRole::char_embedding:
        fill_uniform(parameter.values, 1.0, engine);
        break;
      case ParameterRole::filter:
        if (options.char_cnn->activation == Activation::relu) {
          fill_uniform(parameter.values, 0.05, engine);  // Kim et al. 2016
        } else {
          const std::int64_t inputs = shape[1] * shape[2];  // width · C
          fill_normal(parameter.values, std::sqrt(1.0 / static_cast<double>(inputs)), engine);
        }
        break;
      case ParameterRole::highway_weight:
      case ParameterRole::projection_weight:
        fill_normal(parameter.values, std::sqrt(1.0 / static_cast<double>(shape[0])), engine);
        break;
      case ParameterRole::highway_carry_bias:
        // The gate starts nearly closed, so that a highway layer passes its input through.
        std::fill(parameter.values.begin(), parameter.values.end(), -2.0F);
        break;
      case ParameterRole::word_embedding:
      case ParameterRole::lstm_weight:
      case ParameterRole::lstm_projection:
        fill_glorot_uniform(parameter, engine);
        break;
      case ParameterRole::bias:
        std::fill(parameter.values.begin(), parameter.values.end(), 0.0F);
        break;
    }
  }
}

SoftmaxLayer initialize_softmax(Vocabulary vocabulary, std::span<const std::uint64_t> counts,
                                std::int64_t projection_dim, std::uint64_t seed) {
  SoftmaxLayer softmax(std::move(vocabulary), projection_dim);
  // A seed different from the biLM's, so that the numbers differ.
  Engine engine(~seed);
  fill_normal(softmax.weights.values, 1.0 / std::sqrt(static_cast<double>(projection_dim)), engine);
  double sum = 0.0;
  for (const std::uint64_t count : counts) sum += static_cast<double>(count) + 1.0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    softmax.bias.values[i] =
        static_cast<float>(portable_log((static_cast<double>(counts[i]) + 1.0) / sum));
  }
  return softmax;
}

void copy_common_words(const SoftmaxLayer& from, SoftmaxLayer& to) {
  std::unordered_map<std::string_view, std::int64_t> rows;
  for (std::int64_t row = 0; row < from.vocabulary.size(); ++row) {
    rows.emplace(from.vocabulary.word(row), row);
  }
  const std::int64_t width = from.width();
  for (std::int64_t row = 0; row < to.vocabulary.size(); ++row) {
    const auto found = rows.find(to.vocabulary.word(row));
    if (found == rows.end()) continue;
    std::copy_n(from.weights.values.begin() + found->second * width, width,
                to.weights.values.begin() + row * width);
    to.bias.values[static_cast<std::size_t>(row)] =
        from.bias.values[static_cast<std::size_t>(found->second)];
  }
}

}  // namespace elmo
