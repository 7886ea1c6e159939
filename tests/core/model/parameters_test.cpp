#include "core/model/parameters.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/model/options.h"
#include "tests/fixtures/models.h"

namespace elmo {
namespace {

std::vector<std::int64_t> shape_of(const ModelOptions& options, const std::string& name) {
  for (const ParameterSpec& spec : parameter_list(options).specs) {
    if (spec.name == name) return spec.shape;
  }
  return {};
}

TEST_CASE("parameters have the published names and shapes") {
  const ModelOptions original = *preset("original");
  using Shape = std::vector<std::int64_t>;
  CHECK(shape_of(original, "char_embed") == Shape{261, 16});
  CHECK(shape_of(original, "CNN/W_cnn_6") == Shape{1, 7, 16, 1024});
  CHECK(shape_of(original, "CNN/b_cnn_6") == Shape{1024});
  CHECK(shape_of(original, "CNN_high_1/W_carry") == Shape{2048, 2048});
  CHECK(shape_of(original, "CNN_high_1/W_transform") == Shape{2048, 2048});
  CHECK(shape_of(original, "CNN_high_1/b_carry") == Shape{2048});
  CHECK(shape_of(original, "CNN_high_1/b_transform") == Shape{2048});
  CHECK(shape_of(original, "CNN_proj/W_proj") == Shape{2048, 512});
  CHECK(shape_of(original, "CNN_proj/b_proj") == Shape{512});
  CHECK(shape_of(original, "RNN_1/RNN/MultiRNNCell/Cell1/LSTMCell/W_0") == Shape{1024, 16384});
  CHECK(shape_of(original, "RNN_1/RNN/MultiRNNCell/Cell1/LSTMCell/B") == Shape{16384});
  CHECK(shape_of(original, "RNN_1/RNN/MultiRNNCell/Cell1/LSTMCell/W_P_0") == Shape{4096, 512});
  CHECK(parameter_list(original).specs.size() == 1 + 7 * 2 + 2 * 4 + 2 + 4 * 3);
}

TEST_CASE("parameters of missing parts do not exist") {
  CHECK(shape_of(model_case("no highway layer"), "CNN_high_0/W_carry").empty());
  CHECK(shape_of(model_case("no token projection"), "CNN_proj/W_proj").empty());
  CHECK(shape_of(model_case("no token projection"), "CNN_proj/b_proj").empty());
  CHECK(shape_of(model_case("no LSTM projection"), lstm_prefix(0, 0) + "W_P_0").empty());
  CHECK(shape_of(model_case("no LSTM projection"), lstm_prefix(0, 0) + "W_0") ==
        std::vector<std::int64_t>{16, 32});
  CHECK(shape_of(model_case("one layer"), lstm_prefix(0, 1) + "W_0").empty());
  CHECK(shape_of(model_case("words"), "char_embed").empty());
  CHECK(shape_of(model_case("words"), "embedding") == std::vector<std::int64_t>{30, 8});
}

TEST_CASE("presets have the published numbers of parameters") {
  CHECK(Parameters(*preset("tiny")).count() == 5421392);
  CHECK(Parameters(*preset("small")).count() == 13593296);
  CHECK(Parameters(*preset("medium")).count() == 28027728);
  CHECK(Parameters(*preset("original")).count() == 93600848);
  CHECK_FALSE(preset("huge"));
  for (const std::string_view name : preset_names()) CHECK(preset(name));
}

TEST_CASE("each parameter has memory for its shape and a unique name") {
  for (const ModelCase& model : model_cases()) {
    CAPTURE(model.name);
    const Parameters parameters(model.options);
    std::set<std::string> names;
    std::size_t total = 0;
    for (const Parameter& parameter : parameters.all()) {
      CHECK(parameter.values.size() == parameter.size());
      CHECK(&parameters.at(parameter.name) == &parameter);
      names.insert(parameter.name);
      total += parameter.values.size();
    }
    CHECK(names.size() == parameters.all().size());
    CHECK(parameters.count() == total);
  }
}

TEST_CASE("the index has every parameter once, by role") {
  for (const ModelCase& model : model_cases()) {
    CAPTURE(model.name);
    const Parameters parameters(model.options);
    const ParameterIndex& index = parameters.index();
    std::vector<std::size_t> all;
    const auto expect = [&](std::size_t position, const std::string& name) {
      all.push_back(position);
      CHECK(parameters[position].name == name);
    };
    if (index.char_cnn) {
      expect(index.char_cnn->embedding, "char_embed");
      for (std::size_t i = 0; i < index.char_cnn->banks.size(); ++i) {
        expect(index.char_cnn->banks[i].weights, "CNN/W_cnn_" + std::to_string(i));
        expect(index.char_cnn->banks[i].bias, "CNN/b_cnn_" + std::to_string(i));
      }
      for (std::size_t k = 0; k < index.char_cnn->highways.size(); ++k) {
        const auto& [carry, transform] = index.char_cnn->highways[k];
        const std::string prefix = "CNN_high_" + std::to_string(k) + "/";
        expect(carry.weights, prefix + "W_carry");
        expect(carry.bias, prefix + "b_carry");
        expect(transform.weights, prefix + "W_transform");
        expect(transform.bias, prefix + "b_transform");
      }
    }
    CHECK(index.char_cnn.has_value() == model.options.char_cnn.has_value());
    CHECK(index.word_embedding.has_value() != index.char_cnn.has_value());
    if (index.word_embedding) expect(*index.word_embedding, "embedding");
    if (index.token_projection) {
      expect(index.token_projection->weights, "CNN_proj/W_proj");
      expect(index.token_projection->bias, "CNN_proj/b_proj");
    }
    CHECK(index.encoder_size() == all.size());
    for (const int direction : {0, 1}) {
      const std::vector<LstmIndex>& layers = index.lstm[static_cast<std::size_t>(direction)];
      for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        const std::string prefix = lstm_prefix(direction, static_cast<std::int64_t>(layer));
        expect(layers[layer].gates.weights, prefix + "W_0");
        expect(layers[layer].gates.bias, prefix + "B");
        if (layers[layer].projection) expect(*layers[layer].projection, prefix + "W_P_0");
      }
    }
    std::vector<std::size_t> expected(parameters.all().size());
    std::iota(expected.begin(), expected.end(), std::size_t{0});
    std::sort(all.begin(), all.end());
    CHECK(all == expected);
  }
}

TEST_CASE("asking for a parameter that the options do not imply is a logic error") {
  Parameters parameters(small_options());
  CHECK_THROWS_AS(parameters.at("CNN_high_7/W_carry"), std::logic_error);
}

TEST_CASE("parameters of invalid options are refused before memory is allocated") {
  ModelOptions options = small_options();
  options.lstm.dim = std::int64_t{1} << 62;
  CHECK_THROWS_AS(Parameters{options}, InputError);
}

struct Moments {
  double mean;
  double deviation;
  double largest;
};

Moments moments(const Parameter& parameter) {
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

/// Large enough that moments are near the distribution's, small enough to be fast.
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
  initialize_parameters(parameters, options, seed);
  return parameters;
}

void check_uniform(const Parameter& parameter, double limit) {
  CAPTURE(parameter.name);
  const Moments found = moments(parameter);
  CHECK(std::abs(found.mean) < 0.05 * limit);
  CHECK(found.deviation == doctest::Approx(limit / std::sqrt(3.0)).epsilon(0.04));
  CHECK(found.largest <= limit * (1.0 + 1e-6));
  CHECK(found.largest > 0.98 * limit);
}

void check_normal(const Parameter& parameter, double deviation) {
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

void check_constant(const Parameter& parameter, float value) {
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

TEST_CASE("filters before tanh are normal, scaled by their number of inputs") {
  ModelOptions options = options_to_measure();
  options.char_cnn->activation = Activation::tanh;
  const Parameters parameters = initialized(options, 2);
  check_normal(parameters.at("CNN/W_cnn_1"), std::sqrt(1.0 / (7.0 * 16.0)));
}

TEST_CASE("word embeddings are uniform, scaled by the size of their table") {
  ModelOptions options = options_to_measure();
  options.char_cnn.reset();
  options.n_tokens_vocab = 500;
  const Parameters parameters = initialized(options, 3);
  check_uniform(parameters.at("embedding"), std::sqrt(6.0 / (500.0 + 64.0)));
}

TEST_CASE("a new vocabulary takes the rows of common words") {
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

TEST_CASE("a seed gives the same values everywhere, and another seed gives others") {
  const ModelOptions options = small_options();
  const auto hash = [&](std::uint64_t seed) {
    std::uint64_t state = 0xCBF29CE484222325U;  // FNV-1a
    const Parameters parameters = initialized(options, seed);
    for (const Parameter& parameter : parameters.all()) {
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
