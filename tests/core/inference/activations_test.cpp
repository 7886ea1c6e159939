#include "core/inference/activations.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/error.h"

namespace elmo {

TEST_CASE("token_layers: x, and both directions of each layer side by side") {
  const auto layers =
      token_layers({{"x", "forward_1", "backward_1", "forward_2", "backward_2"}, 8});
  REQUIRE(layers.size() == 3);
  CHECK(layers[0].name == "x");
  CHECK(layers[0].begin == 0);
  CHECK(layers[0].width == 8);
  CHECK(layers[1].name == "1");
  CHECK(layers[1].begin == 8);
  CHECK(layers[1].width == 16);
  CHECK(layers[2].name == "2");
  CHECK(layers[2].begin == 24);
  CHECK(layers[2].width == 16);
}

TEST_CASE("token_layers: a single row is one layer") {
  const auto layers = token_layers({{"mix"}, 16});
  REQUIRE(layers.size() == 1);
  CHECK(layers[0].name == "mix");
  CHECK(layers[0].width == 16);
}

namespace {

constexpr float kUnlimited = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST_CASE("the first value out of range is found at any position") {
  for (const std::size_t size : {1U, 7U, 4096U, 10000U}) {
    std::vector<float> values(size, -std::numeric_limits<float>::max());
    CHECK(first_out_of_range(values, kUnlimited) == size);
    for (const std::size_t at : {std::size_t{0}, size / 2, size - 1}) {
      for (const float bad : {kUnlimited, -kUnlimited, kNan, -kNan}) {
        std::vector<float> changed = values;
        changed.back() = bad;
        changed[at] = bad;
        CHECK(first_out_of_range(changed, kUnlimited) == at);
      }
    }
  }
  CHECK(first_out_of_range({}, kUnlimited) == 0);
}

TEST_CASE("the limit itself is out of range, with either sign") {
  const float below = std::nextafter(65520.0F, 0.0F);
  CHECK(first_out_of_range(std::vector<float>{0.0F, -below, below}, 65520.0F) == 3);
  CHECK(first_out_of_range(std::vector<float>{below, -65520.0F}, 65520.0F) == 1);
  CHECK(first_out_of_range(std::vector<float>{below, 1e30F}, 65520.0F) == 1);
  CHECK(first_out_of_range(std::vector<float>{below, kNan}, 65520.0F) == 1);
}

std::string message(std::size_t index, float value, float limit) {
  const auto document = std::make_shared<const Document>(Document{3, "a.txt"});
  std::vector<Sentence> sentences(3);
  for (Sentence& sentence : sentences) sentence.document = document;
  sentences[0].add("one", {0, 3});
  sentences[2].add("two", {4, 7});
  sentences[2].add("three", {8, 13});
  sentences[2].line = 9;
  std::vector<float> activations(3 * 2 * 2, 0.5F);
  activations[index] = value;
  try {
    refuse_value({40, sentences, activations}, {{"x", "top"}, 2}, index, limit);
  } catch (const NumericError& error) {
    return error.what();
  }
}

TEST_CASE("the error names sentence, document, line, token, row and value") {
  const std::string not_finite = message(10, -kNan, kUnlimited);
  CAPTURE(not_finite);
  CHECK(not_finite.find("sentence 42 (document a.txt, line 9)") == 0);
  CHECK(not_finite.find("activation top of token 2 is nan; expected a finite number") !=
        std::string::npos);
  const std::string too_large = message(4, 1e6F, 65520.0F);
  CAPTURE(too_large);
  CHECK(too_large.find("activation x of token 1 is 1e+06; the output's number format ends") !=
        std::string::npos);
}

}  // namespace

}  // namespace elmo
