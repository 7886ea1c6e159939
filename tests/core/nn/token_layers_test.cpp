#include <doctest/doctest.h>

#include <string_view>

#include "core/nn/character_cnn.h"
#include "core/nn/embedding.h"
#include "core/nn/scalar_mix.h"
#include "tests/core/nn/parameters.h"
#include "tests/reference/bilm.h"
#include "tests/reference/task_layers.h"

namespace elmo {
namespace {

/// The rest of a row, which a layer must leave as it is.
constexpr std::int64_t kBeside = 3;

Matrix columns_from(const Matrix& matrix, std::int64_t column, std::int64_t columns) {
  Matrix part(matrix.rows, columns);
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    std::copy_n(matrix.row(row) + column, columns, part.row(row));
  }
  return part;
}

TEST_CASE("character CNN") {
  for (const std::int64_t width : {1, 3, 5}) {
    CAPTURE(width);
    const std::vector<std::string_view> tokens = {"Elmo", "a",    "\xC3\xA9t\xC3\xA9", "a",
                                                  "",     "Elmo", "unfathomably"};
    CharacterCnn cnn("cnn", 4, 6, width);
    ReferenceValues values = randomize(cnn.parameters(), 3);
    const auto rows = static_cast<std::int64_t>(tokens.size());
    Matrix output(rows, 6 + kBeside);
    cnn.forward(tokens, output, kBeside);
    const auto reference = [&] {
      DoubleNumbers outputs;
      for (const std::string_view token : tokens) {
        append(outputs,
               reference_characters(token, values.at("cnn/characters"), 4, values.at("cnn/W"),
                                    values.at("cnn/b"), static_cast<std::size_t>(width)));
      }
      return outputs;
    };
    check_outputs(columns_from(output, kBeside, 6).values, reference());
    const Matrix gradient = normal_matrix(rows, 6 + kBeside, 4);
    cnn.backward(gradient, kBeside);
    const Matrix own = columns_from(gradient, kBeside, 6);
    check_gradients(cnn.parameters(), values, [&] { return weighted(reference(), own); });
  }
}

TEST_CASE("character CNN reads long tokens up to a bound") {
  const std::string most(64, 'x');
  const std::string more(100000, 'x');
  CharacterCnn cnn("cnn", 4, 6, 3);
  cnn.initialize(1);
  Matrix output(2, 6);
  cnn.forward(std::vector<std::string_view>{most, more}, output, 0);
  CHECK(std::equal(output.row(0), output.row(1), output.row(1)));
}

TEST_CASE("embedding: only rows that were looked up have a gradient") {
  Embedding embedding("words", 9, 4);
  ReferenceValues values = randomize({&embedding.parameter()}, 1);
  const std::vector<std::int32_t> rows = {3, 0, 3, 8};
  Matrix output(4, 4 + kBeside);
  embedding.forward(rows, output, 1);
  const auto reference = [&] {
    DoubleNumbers outputs;
    for (const std::int32_t row : rows) {
      append(outputs, rows_of(values.at("words"), 4, row, row + 1));
    }
    return outputs;
  };
  check_outputs(columns_from(output, 1, 4).values, reference());
  const Matrix gradient = normal_matrix(4, 4 + kBeside, 2);
  embedding.backward(gradient, 1);
  const Parameter& parameter = embedding.parameter();
  CHECK(*parameter.touched == std::vector<std::int32_t>{3, 0, 8});
  CHECK(parameter.gradient.size() == 12);
  const Matrix own = columns_from(gradient, 1, 4);
  const auto loss = [&] { return weighted(reference(), own); };
  check_gradients({&embedding.parameter()}, values, loss);

  SUBCASE("gradients of two batches add up") {
    const Parameter before = parameter;
    embedding.backward(gradient, 1);
    CHECK(*parameter.touched == *before.touched);
    for (std::size_t i = 0; i < before.gradient.size(); ++i) {
      CHECK(parameter.gradient[i] == doctest::Approx(2.0F * before.gradient[i]));
    }
  }
  SUBCASE("the next step begins without any") {
    embedding.parameter().clear_gradient();
    CHECK(parameter.touched->empty());
    CHECK(parameter.gradient.empty());
  }
}

TEST_CASE("scalar mix") {
  constexpr std::int64_t kLayers = 2;
  constexpr std::int64_t kProjection = 5;
  constexpr std::int64_t kRows = 2 * kLayers + 1;
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
      mix.forward(activations, output, 2);
      check_outputs(columns_from(output, 2, 2 * kProjection).values, reference());

      const Matrix gradient = normal_matrix(8, 2 * kProjection + kBeside, 4);
      mix.backward(gradient, 2);
      const Matrix own = columns_from(gradient, 2, 2 * kProjection);
      const auto loss = [&] { return weighted(reference(), own); };
      check_gradients(mix.parameters(), values, loss);

      const auto penalty = [&] {
        double sum = 0.0;
        if (!fixed) {
          for (const double weight : values.at("mix/w")) sum += 0.25 * weight * weight;
        }
        return sum;
      };
      CHECK(mix.penalty() == doctest::Approx(penalty()).epsilon(1e-6));
      check_gradients(mix.parameters(), values, [&] { return loss() + penalty(); });
    }
  }
}

}  // namespace
}  // namespace elmo
