#include "core/inference/perplexity.h"

#include <doctest/doctest.h>

#include <cmath>

namespace elmo {
namespace {

TEST_CASE("the average is finite even if the product of both perplexities is not") {
  PerplexityResult result;
  result.sentences = 1;
  result.tokens = 3;
  result.unknown = 1;
  result.log_probability = {LogProbability{-2400.0, -900.0}, LogProbability{-1600.0, -400.0}};
  CHECK(result.perplexity().average == doctest::Approx(std::exp(500.0)));
  CHECK(result.known_perplexity().average == doctest::Approx(std::exp(450.0)));
}

TEST_CASE("without predictions there is no perplexity") {
  PerplexityResult result;
  Sentence empty;
  result.add({0, empty, {}, {}, {}, 0});
  CHECK(result.predictions() == 0);
  CHECK(std::isnan(result.perplexity().forward));
  CHECK(std::isnan(result.perplexity().average));
}

}  // namespace
}  // namespace elmo
