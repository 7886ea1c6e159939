#include "core/kernels/precision.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/kernels/product.h"
#include "core/model/options.h"
#include "core/model/parameters.h"
#include "tests/core/inference/collect.h"
#include "tests/core/tolerances.h"
#include "tests/fixtures/models.h"

namespace elmo {
namespace {

// Returns the cosine between each token's vector in one row and the same vector in float32.
struct Cosines {
  double mean = 0;
  double least = 2;
};

std::vector<Cosines> compare(const CollectingSink& found, const CollectingSink& expected,
                             const ModelOptions& options) {
  const auto width = static_cast<std::size_t>(options.lstm.projection_dim);
  std::vector<Cosines> rows(static_cast<std::size_t>(options.activation_rows()));
  std::size_t tokens = 0;
  for (std::size_t s = 0; s < found.tokens.size(); ++s) {
    for (std::size_t t = 0; t < found.tokens[s].size(); ++t, ++tokens) {
      for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::size_t place = (t * rows.size() + row) * width;
        double product = 0;
        double squares[2] = {0, 0};
        for (std::size_t p = 0; p < width; ++p) {
          const double a{found.activations[s][place + p]};
          const double b{expected.activations[s][place + p]};
          product += a * b;
          squares[0] += a * a;
          squares[1] += b * b;
        }
        const double cosine = product / std::sqrt(squares[0] * squares[1]);
        rows[row].mean += cosine;
        rows[row].least = std::min(rows[row].least, cosine);
      }
    }
  }
  for (Cosines& row : rows) row.mean /= static_cast<double>(tokens);
  return rows;
}

CollectingSink embed_with(const ModelOptions& options, const Parameters& parameters,
                          Precision precision, const Sentences& sentences,
                          const RunOptions& embed_options) {
  Parameters to_pack = parameters;
  const Bilm model(options, std::move(to_pack), precision);
  return embed_all(model, sentences, embed_options);
}

TEST_CASE("lower precisions stay close to float32 in every row") {
  const Sentences sentences = random_sentences(60, 25, 5);
  const ModelOptions tiny = *preset("tiny");
  Parameters published(tiny);
  initialize_parameters(published, tiny, 1);
  const ModelOptions small = small_options();
  for (const auto& [options, parameters] :
       {std::pair{tiny, published}, std::pair{small, random_parameters(small, 3)}}) {
    const CollectingSink expected =
        embed_with(options, parameters, Precision::float32, sentences, RunOptions{});
    for (const auto& [precision, tolerance] : {std::pair{Precision::bfloat16, kBfloat16Cosines},
                                               std::pair{Precision::int8, kInt8Cosines}}) {
      if (!is_supported(precision)) {
        MESSAGE("skipped: this CPU has no instructions for " << kPrecisions.word(precision));
        continue;
      }
      const std::string_view name = kPrecisions.word(precision);
      CAPTURE(name);
      const CollectingSink found =
          embed_with(options, parameters, precision, sentences, RunOptions{});
      for (const Cosines& row : compare(found, expected, options)) {
        CHECK(row.mean >= tolerance.mean);
        CHECK(row.least >= tolerance.least);
      }
    }
  }
}

TEST_CASE("a sentence's activations do not depend on other sentences in any precision") {
  const Sentences sentences = random_sentences(150, 12, 3);
  const ModelOptions options = small_options();
  const Parameters parameters = random_parameters(options, 11);
  for (const Precision precision : {Precision::bfloat16, Precision::int8}) {
    if (!is_supported(precision)) {
      MESSAGE("skipped: this CPU has no instructions for " << kPrecisions.word(precision));
      continue;
    }
    CAPTURE(kPrecisions.word(precision));
    RunOptions few;
    few.batch_tokens = 30;
    const CollectingSink apart = embed_with(options, parameters, precision, sentences, few);
    const CollectingSink together =
        embed_with(options, parameters, precision, sentences, RunOptions{});
    CHECK(apart.activations == together.activations);
  }
}

TEST_CASE("a precision that the CPU lacks is refused") {
  const ModelOptions options = small_options();
  for (const Precision precision : {Precision::bfloat16, Precision::int8}) {
    if (is_supported(precision)) continue;
    CHECK_THROWS_AS(Bilm(options, random_parameters(options, 1), precision), RequestError);
  }
}

}  // namespace
}  // namespace elmo
