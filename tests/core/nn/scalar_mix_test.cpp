#include "core/nn/scalar_mix.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "tests/core/nn/parameters.h"
#include "tests/reference/bilm.h"

namespace elmo {
namespace {

constexpr std::int64_t kLayers = 2;
constexpr std::int64_t kProjection = 5;
constexpr std::int64_t kRows = 2 * kLayers + 1;

TEST_CASE("scalar mix") {
  const std::vector<std::int64_t> lengths = {3, 1, 4};
  std::vector<FloatNumbers> sentences;
  std::vector<ReferenceActivations> reference_sentences;
  for (const std::int64_t length : lengths) {
    sentences.push_back(
        normal_numbers(length * kRows * kProjection, 1.0F, static_cast<unsigned>(length)));
    ReferenceActivations tokens;
    const DoubleNumbers numbers(sentences.back().begin(), sentences.back().end());
    for (std::int64_t token = 0; token < length; ++token) {
      tokens.push_back(rows_of(numbers, kProjection, token * kRows, (token + 1) * kRows));
    }
    reference_sentences.push_back(tokens);
  }
  const std::vector<std::span<const float>> activations(sentences.begin(), sentences.end());

  for (const bool layer_norm : {false, true}) {
    for (const bool fixed : {false, true}) {
      CAPTURE(layer_norm);
      CAPTURE(fixed);
      ScalarMix::Options options;
      options.layers = kLayers;
      options.projection = kProjection;
      options.lambda = 0.25F;
      options.layer_norm = layer_norm;
      if (fixed) options.fixed_shares = {0.0F, 0.25F, 0.75F};
      ScalarMix mix("mix", options);
      ReferenceValues values = randomize(mix.parameters(), 2);
      const std::vector<double> logarithms = {-1e9, std::log(0.25), std::log(0.75)};
      const auto reference = [&] {
        DoubleNumbers outputs;
        for (const ReferenceActivations& sentence : reference_sentences) {
          append(outputs, reference_mix(sentence, fixed ? logarithms : values.at("mix/w"),
                                        values.at("mix/gamma")[0], layer_norm));
        }
        return outputs;
      };
      Matrix output(8, 2 * kProjection + kBeside);
      mix.forward(activations, {}, output, 2);
      check_outputs(columns_from(output, 2, 2 * kProjection).values, reference());

      Matrix gradient = normal_matrix(8, 2 * kProjection + kBeside, 4);
      const double found_penalty = mix.backward(gradient, 2, {});
      const Matrix own = columns_from(gradient, 2, 2 * kProjection);
      const auto loss = [&] { return weighted(reference(), own); };
      const auto penalty = [&] {
        double sum = 0.0;
        if (!fixed) {
          for (const double weight : values.at("mix/w")) sum += 0.25 * weight * weight;
        }
        return sum;
      };
      CHECK(found_penalty == doctest::Approx(penalty()).epsilon(1e-6));
      check_gradients(mix.parameters(), values, [&] { return loss() + penalty(); });
    }
  }
}

TEST_CASE("concatenated layers equal mixes of one layer each") {
  constexpr std::int64_t kTokens = 3;
  constexpr std::int64_t kWidth = kRows * kProjection;
  const FloatNumbers activations = normal_numbers(kTokens * kWidth, 2.0F, 6);
  ReferenceActivations reference;
  const DoubleNumbers numbers(activations.begin(), activations.end());
  for (std::int64_t token = 0; token < kTokens; ++token) {
    reference.push_back(rows_of(numbers, kProjection, token * kRows, (token + 1) * kRows));
  }
  Matrix plain(kTokens, kWidth + kBeside);
  concatenate_layers(activations, kProjection, false, plain.view().column_range(2, kWidth));
  const Matrix copied = columns_from(plain, 2, kWidth);
  CHECK(std::equal(activations.begin(), activations.end(), copied.values.begin()));

  Matrix normalized(kTokens, kWidth + kBeside);
  concatenate_layers(activations, kProjection, true, normalized.view().column_range(2, kWidth));
  for (std::int64_t layer = 0; layer <= kLayers; ++layer) {
    CAPTURE(layer);
    std::vector<double> weights(kLayers + 1, -1e9);
    weights[static_cast<std::size_t>(layer)] = 0.0;
    // The token layer is there once, not twice.
    const std::int64_t columns = layer == 0 ? kProjection : 2 * kProjection;
    const std::int64_t first = layer == 0 ? 0 : (2 * layer - 1) * kProjection;
    DoubleNumbers expected;
    for (std::vector<double> row : reference_mix(reference, weights, 1.0, true)) {
      row.resize(static_cast<std::size_t>(columns));
      append(expected, row);
    }
    check_outputs(columns_from(normalized, 2 + first, columns).values, expected);
  }
}

}  // namespace
}  // namespace elmo
