#include "core/model/options.h"

#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <string>

#include "core/error.h"
#include "core/model/parameters.h"
#include "tests/fixtures/models.h"

namespace elmo {
namespace {

std::string refusal(const std::function<void(ModelOptions&)>& change) {
  ModelOptions options = small_options();
  change(options);
  try {
    validate(options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("every shape of existing models is valid") {
  for (const ModelCase& model : model_cases()) {
    CAPTURE(model.name);
    CHECK_NOTHROW(validate(model.options));
  }
}

TEST_CASE(
    "a size out of bounds is refused with the option, the value found and the range expected") {
  CHECK(refusal([](ModelOptions& o) { o.lstm.dim = -3; }) ==
        "lstm.dim is -3; expected a whole number from 1 to 1048576");
  const std::int64_t giant = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{-1}, giant, -giant - 1}) {
    CAPTURE(bad);
    const auto names = [](const std::string& message, const std::string& name) {
      CAPTURE(message);
      CHECK(message.find(name) != std::string::npos);
    };
    names(refusal([&](ModelOptions& o) { o.lstm.dim = bad; }), "lstm.dim");
    names(refusal([&](ModelOptions& o) { o.lstm.projection_dim = bad; }), "lstm.projection_dim");
    names(refusal([&](ModelOptions& o) { o.lstm.n_layers = bad; }), "lstm.n_layers");
    names(refusal([&](ModelOptions& o) { o.char_cnn->embedding_dim = bad; }), "embedding.dim");
    names(refusal([&](ModelOptions& o) { o.char_cnn->max_characters_per_token = bad; }),
          "max_characters_per_token");
    names(refusal([&](ModelOptions& o) { o.char_cnn->filters[1].width = bad; }), "filters[1]");
    names(refusal([&](ModelOptions& o) { o.char_cnn->filters[1].count = bad; }), "filters[1]");
    names(refusal([&](ModelOptions& o) {
            o.char_cnn.reset();
            o.n_tokens_vocab = bad;
          }),
          "n_tokens_vocab");
    if (bad != 0) {
      names(refusal([&](ModelOptions& o) { o.char_cnn->n_highway = bad; }), "n_highway");
    }
  }
}

TEST_CASE("filters that do not fit in a token, no filters and too many are refused") {
  CHECK(refusal([](ModelOptions& o) {
          o.char_cnn->filters = {{51, 4}};
        }) == "the width of char_cnn.filters[0] is 51; expected a whole number from 1 to 50");
  CHECK(refusal([](ModelOptions& o) { o.char_cnn->filters.clear(); }) != "");
  CHECK(refusal([](ModelOptions& o) { o.char_cnn->filters.assign(1000, {1, 1}); }) != "");
  CHECK(refusal([](ModelOptions& o) { o.char_cnn->filters.assign(50, {1, kMaxDimension}); }) != "");
  CHECK(refusal([](ModelOptions& o) { o.char_cnn->max_characters_per_token = 2; }) != "");
}

TEST_CASE("a clip must be positive") {
  for (const float bad : {0.0F, -3.0F, std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::quiet_NaN()}) {
    CAPTURE(bad);
    CHECK(refusal([&](ModelOptions& o) { o.lstm.cell_clip = bad; }).find("lstm.cell_clip") == 0);
    CHECK(refusal([&](ModelOptions& o) { o.lstm.proj_clip = bad; }).find("lstm.proj_clip") == 0);
  }
}

TEST_CASE("the size in bytes of the largest valid model fits in 64 bits") {
  ModelOptions options;
  options.lstm.dim = kMaxDimension;
  options.lstm.projection_dim = kMaxDimension;
  options.lstm.n_layers = kMaxLayers;
  options.char_cnn.emplace();
  options.char_cnn->embedding_dim = kMaxDimension;
  options.char_cnn->max_characters_per_token = kMaxCharactersPerToken;
  options.char_cnn->filters = {{kMaxCharactersPerToken, kMaxDimension}};
  options.char_cnn->n_highway = kMaxLayers;
  long double bytes = 0.0L;
  std::size_t sum = 0;
  for (const ParameterSpec& spec : parameter_list(options).specs) {
    long double product = 4.0L;
    for (const std::int64_t extent : spec.shape) product *= static_cast<long double>(extent);
    bytes += product;
    sum += 4 * spec.size();
  }
  CHECK(bytes < 9.2e18L);
  CHECK(static_cast<long double>(sum) == bytes);
}

}  // namespace
}  // namespace elmo
