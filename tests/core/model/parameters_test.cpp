#include "core/model/parameters.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/model/presets.h"
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

TEST_CASE("what a model lacks has no parameters") {
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
  CHECK(Parameters(*preset("tiny")).count() == 5363920);
  CHECK(Parameters(*preset("small")).count() == 13593296);
  CHECK(Parameters(*preset("medium")).count() == 28027728);
  CHECK(Parameters(*preset("original")).count() == 93600848);
  CHECK_FALSE(preset("huge"));
  for (const std::string_view name : preset_names()) CHECK(preset(name));
}

TEST_CASE("each parameter has room for its shape, and a name of its own") {
  for (const ModelCase& model : model_cases()) {
    CAPTURE(model.name);
    const Parameters parameters(model.options);
    std::set<std::string> names;
    std::size_t total = 0;
    for (const ModelParameter& parameter : parameters.all()) {
      CHECK(parameter.values.size() == parameter.size());
      CHECK(&parameters.at(parameter.name) == &parameter);
      names.insert(parameter.name);
      total += parameter.values.size();
    }
    CHECK(names.size() == parameters.all().size());
    CHECK(parameters.count() == total);
  }
}

TEST_CASE("the index names every parameter once, each by what it is") {
  for (const ModelCase& model : model_cases()) {
    CAPTURE(model.name);
    const Parameters parameters(model.options);
    const ParameterIndex& index = parameters.index();
    std::vector<std::size_t> all;
    const auto expect = [&](std::size_t place, const std::string& name) {
      all.push_back(place);
      CHECK(parameters[place].name == name);
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
      if (index.char_cnn->projection) {
        expect(index.char_cnn->projection->weights, "CNN_proj/W_proj");
        expect(index.char_cnn->projection->bias, "CNN_proj/b_proj");
      }
      CHECK(index.char_cnn->all() == all);
    }
    CHECK(index.char_cnn.has_value() == model.options.char_cnn.has_value());
    CHECK(index.word_embedding.has_value() != index.char_cnn.has_value());
    if (index.word_embedding) expect(*index.word_embedding, "embedding");
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

TEST_CASE("asking for a parameter that the options do not imply is an error of the program") {
  Parameters parameters(small_options());
  CHECK_THROWS_AS(parameters.at("CNN_high_7/W_carry"), std::logic_error);
}

TEST_CASE("parameters of invalid options are refused before any memory is taken") {
  ModelOptions options = small_options();
  options.lstm.dim = std::int64_t{1} << 62;
  CHECK_THROWS_AS(Parameters{options}, InputError);
}

}  // namespace
}  // namespace elmo
