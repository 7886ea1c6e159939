#include "core/model/initialize.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "tests/fixtures/models.h"

namespace elmo {
namespace {

struct Moments {
  double mean;
  double deviation;
  double largest;
};

Moments moments(const ModelParameter& parameter) {
  double sum = 0.0;
  double squares = 0.0;
  double largest = 0.0;
  for (const float value : parameter.values) {
    const auto x = static_cast<double>(value);
    sum += x;
    squares += x * x;
    largest = std::max(largest, std::abs(x));
  }
  const auto n = static_cast<double>(parameter.values.size());
  return {sum / n, std::sqrt(squares / n - sum / n * (sum / n)), largest};
}

/// Large enough for moments to be near those of the distribution, small enough to be quick.
ModelOptions options_to_measure() {
  ModelOptions options = small_options();
  options.lstm.dim = 256;
  options.lstm.projection_dim = 64;
  options.char_cnn->embedding_dim = 16;
  options.char_cnn->filters = {{1, 100}, {7, 156}};
  return options;
}

Parameters initialized(const ModelOptions& options, std::uint64_t seed) {
  Parameters parameters(options);
  initialize(parameters, options, seed);
  return parameters;
}

void check_uniform(const ModelParameter& parameter, double limit) {
  CAPTURE(parameter.name);
  const Moments found = moments(parameter);
  CHECK(std::abs(found.mean) < 0.05 * limit);
  CHECK(found.deviation == doctest::Approx(limit / std::sqrt(3.0)).epsilon(0.04));
  CHECK(found.largest <= limit * (1.0 + 1e-6));
  CHECK(found.largest > 0.98 * limit);
}

void check_normal(const ModelParameter& parameter, double deviation) {
  CAPTURE(parameter.name);
  const Moments found = moments(parameter);
  CHECK(std::abs(found.mean) < 0.05 * deviation);
  CHECK(found.deviation == doctest::Approx(deviation).epsilon(0.04));
  CHECK(found.largest > 3.0 * deviation);
  std::size_t within = 0;
  for (const float value : parameter.values) {
    if (std::abs(static_cast<double>(value)) < deviation) ++within;
  }
  const double share = static_cast<double>(within) / static_cast<double>(parameter.values.size());
  CHECK(share == doctest::Approx(0.6827).epsilon(0.02));
}

void check_constant(const ModelParameter& parameter, float value) {
  CAPTURE(parameter.name);
  CHECK(std::all_of(parameter.values.begin(), parameter.values.end(),
                    [value](float x) { return x == value; }));
}

TEST_CASE("parameters follow the published initialization") {
  const ModelOptions options = options_to_measure();
  const Parameters parameters = initialized(options, 1);
  check_uniform(parameters.at("char_embed"), 1.0);
  check_uniform(parameters.at("CNN/W_cnn_0"), 0.05);
  check_uniform(parameters.at("CNN/W_cnn_1"), 0.05);
  check_constant(parameters.at("CNN/b_cnn_0"), 0.0F);
  check_normal(parameters.at("CNN_high_0/W_carry"), std::sqrt(1.0 / 256.0));
  check_normal(parameters.at("CNN_high_0/W_transform"), std::sqrt(1.0 / 256.0));
  check_constant(parameters.at("CNN_high_0/b_carry"), -2.0F);
  check_constant(parameters.at("CNN_high_0/b_transform"), 0.0F);
  check_normal(parameters.at("CNN_proj/W_proj"), std::sqrt(1.0 / 256.0));
  check_constant(parameters.at("CNN_proj/b_proj"), 0.0F);
  check_uniform(parameters.at(lstm_prefix(0, 0) + "W_0"), std::sqrt(6.0 / (128.0 + 1024.0)));
  check_uniform(parameters.at(lstm_prefix(1, 1) + "W_P_0"), std::sqrt(6.0 / (256.0 + 64.0)));
  check_constant(parameters.at(lstm_prefix(1, 0) + "B"), 0.0F);
}

TEST_CASE("filters before tanh are normal, by the size of what they see") {
  ModelOptions options = options_to_measure();
  options.char_cnn->activation = Activation::tanh;
  const Parameters parameters = initialized(options, 2);
  check_normal(parameters.at("CNN/W_cnn_1"), std::sqrt(1.0 / (7.0 * 16.0)));
}

TEST_CASE("word embeddings are uniform by the size of their table") {
  ModelOptions options = options_to_measure();
  options.char_cnn.reset();
  options.n_tokens_vocab = 500;
  const Parameters parameters = initialized(options, 3);
  check_uniform(parameters.at("embedding"), std::sqrt(6.0 / (500.0 + 64.0)));
}

TEST_CASE("a new vocabulary takes the rows of the words that both have") {
  constexpr std::int64_t kWidth = 3;
  SoftmaxLayer from =
      initialize_softmax(Vocabulary({"<S>", "</S>", "<UNK>", "a", "b"}), {}, kWidth, 1);
  for (std::size_t i = 0; i < 5; ++i) from.bias.values[i] = static_cast<float>(i + 1);
  SoftmaxLayer to =
      initialize_softmax(Vocabulary({"b", "c", "</S>", "<S>", "<UNK>"}), {}, kWidth, 2);
  const AlignedVector<float> random = to.weights.values;
  copy_common_words(from, to);
  const auto row = [](const AlignedVector<float>& weights, std::int64_t index) {
    return std::vector<float>(weights.begin() + index * kWidth,
                              weights.begin() + (index + 1) * kWidth);
  };
  CHECK(row(to.weights.values, 0) == row(from.weights.values, 4));
  CHECK(row(to.weights.values, 1) == row(random, 1));
  CHECK(row(to.weights.values, 2) == row(from.weights.values, 1));
  CHECK(row(to.weights.values, 3) == row(from.weights.values, 0));
  CHECK(row(to.weights.values, 4) == row(from.weights.values, 2));
  CHECK(to.bias.values == AlignedVector<float>{5.0F, 0.0F, 2.0F, 1.0F, 3.0F});
}

TEST_CASE("a seed means the same values everywhere, and another seed other values") {
  const ModelOptions options = small_options();
  const auto hash = [&](std::uint64_t seed) {
    std::uint64_t state = 0xCBF29CE484222325U;  // FNV-1a
    const Parameters parameters = initialized(options, seed);
    for (const ModelParameter& parameter : parameters.all()) {
      for (const float value : parameter.values) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &value, sizeof(bits));
        state = (state ^ bits) * 0x100000001B3U;
      }
    }
    return state;
  };
  CHECK(hash(1) == 11076818895136562407U);
  CHECK(hash(2) != hash(1));
}

}  // namespace
}  // namespace elmo
