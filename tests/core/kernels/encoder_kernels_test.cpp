#include "core/kernels/encoder_kernels.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tests/core/kernels/instruction_sets.h"
#include "tests/core/kernels/numbers.h"

namespace elmo {
namespace {

double activated(double x, Activation activation) {
  return activation == Activation::relu ? std::max(x, 0.0) : std::tanh(x);
}

TEST_CASE("max_pool returns the activated maximum over positions and its first position") {
  for_each_instruction_set([] {
    for (const Activation activation : {Activation::relu, Activation::tanh}) {
      for (const std::int64_t filters : {1, 5, 16, 37}) {
        for (const std::int64_t positions : {1, 2, 9}) {
          CAPTURE(filters);
          CAPTURE(positions);
          FloatNumbers from = normal_numbers(positions * filters, 1.0F, 1);
          // Few distinct values, so that many are equal.
          for (float& value : from) value = std::round(value);
          FloatNumbers to(static_cast<std::size_t>(filters));
          std::vector<std::int32_t> where(to.size());
          max_pool(from.data(), positions, filters, activation, to.data(), where.data());

          DoubleNumbers expected;
          std::vector<std::int32_t> places;
          for (std::int64_t f = 0; f < filters; ++f) {
            const auto value = [&](std::int64_t p) {
              return from[static_cast<std::size_t>(p * filters + f)];
            };
            std::int32_t place = 0;
            for (std::int32_t p = 1; p < positions; ++p) {
              if (value(p) > value(place)) place = p;
            }
            places.push_back(place);
            expected.push_back(activated(double{value(place)}, activation));
          }
          CHECK(where == places);
          CHECK(largest_difference(to, expected) < 2e-7);
        }
      }
    }
  });
}

// The convolution of one token by one bank of filters.
struct Token {
  std::int64_t filters;
  std::int64_t width;
  std::int64_t dim;
  std::int64_t length;
  Activation activation;
  DoubleNumbers characters;  // [length, dim]
  DoubleNumbers weights;     // [filters, width · dim]
  DoubleNumbers bias;        // [filters]

  std::int64_t positions() const { return length - width + 1; }

  double convolved(std::int64_t position, std::int64_t filter) const {
    double sum = bias[static_cast<std::size_t>(filter)];
    for (std::int64_t k = 0; k < width * dim; ++k) {
      sum += characters[static_cast<std::size_t>(position * dim + k)] *
             weights[static_cast<std::size_t>(filter * width * dim + k)];
    }
    return sum;
  }

  double loss(const FloatNumbers& feature_gradient) const {
    double sum = 0;
    for (std::int64_t f = 0; f < filters; ++f) {
      double largest = convolved(0, f);
      for (std::int64_t p = 1; p < positions(); ++p) largest = std::max(largest, convolved(p, f));
      sum += double{feature_gradient[static_cast<std::size_t>(f)]} * activated(largest, activation);
    }
    return sum;
  }
};

TEST_CASE("pooled_convolution_backward adds the gradient of convolution, maximum and activation") {
  for_each_instruction_set([] {
    for (const Activation activation : {Activation::relu, Activation::tanh}) {
      for (const std::int64_t width : {1, 2, 5}) {
        for (const std::int64_t dim : {1, 4, 16}) {
          CAPTURE(width);
          CAPTURE(dim);
          constexpr std::int64_t kFilters = 11;
          constexpr std::int64_t kLength = 9;
          const FloatNumbers characters = normal_numbers(kLength * dim, 0.5F, 1);
          const FloatNumbers weights = normal_numbers(kFilters * width * dim, 0.5F, 2);
          const FloatNumbers bias = normal_numbers(kFilters, 1.0F, 3);
          const FloatNumbers feature_gradient = normal_numbers(kFilters, 1.0F, 4);
          Token token{kFilters,         width,        dim, kLength, activation, widened(characters),
                      widened(weights), widened(bias)};

          FloatNumbers convolved;
          for (std::int64_t p = 0; p < token.positions(); ++p) {
            for (std::int64_t f = 0; f < kFilters; ++f) {
              convolved.push_back(static_cast<float>(token.convolved(p, f)));
            }
          }
          FloatNumbers features(kFilters);
          std::vector<std::int32_t> where(kFilters);
          max_pool(convolved.data(), token.positions(), kFilters, activation, features.data(),
                   where.data());
          // Gradients are added to the values in the array.
          FloatNumbers weight_gradient(weights.size(), 1.0F);
          FloatNumbers bias_gradient(bias.size(), 2.0F);
          FloatNumbers character_gradient(characters.size(), 3.0F);
          PooledConvolutionGradient task;
          task.filters = kFilters;
          task.window = width * dim;
          task.embedding_dim = dim;
          task.activation = activation;
          task.features = features.data();
          task.feature_gradient = feature_gradient.data();
          task.where = where.data();
          task.characters = characters.data();
          task.weights = weights.data();
          task.weight_gradient = weight_gradient.data();
          task.bias_gradient = bias_gradient.data();
          task.character_gradient = character_gradient.data();
          pooled_convolution_backward(task);

          const auto expected = [&](DoubleNumbers& values, double before) {
            DoubleNumbers gradient =
                central_differences(values, [&] { return token.loss(feature_gradient); });
            for (double& value : gradient) value += before;
            return gradient;
          };
          CHECK(largest_difference(weight_gradient, expected(token.weights, 1)) < 2e-6);
          CHECK(largest_difference(bias_gradient, expected(token.bias, 2)) < 2e-6);
          CHECK(largest_difference(character_gradient, expected(token.characters, 3)) < 4e-6);
        }
      }
    }
  });
}

TEST_CASE("a highway layer and its gradient follow the equations") {
  for_each_instruction_set([] {
    constexpr std::int64_t kRows = 3;
    for (const std::int64_t filters : {1, 6, 16, 37}) {
      CAPTURE(filters);
      const std::int64_t size = kRows * filters;
      FloatNumbers carry = normal_numbers(size, 2.0F, 1);
      FloatNumbers transform = normal_numbers(size, 2.0F, 2);
      const FloatNumbers carry_bias = normal_numbers(filters, 1.0F, 3);
      const FloatNumbers transform_bias = normal_numbers(filters, 1.0F, 4);
      const FloatNumbers x = normal_numbers(size, 1.0F, 5);
      FloatNumbers gradient = normal_numbers(size, 1.0F, 6);
      FloatNumbers y(x.size());

      DoubleNumbers carry_sums = widened(carry);
      DoubleNumbers transform_sums = widened(transform);
      DoubleNumbers inputs = widened(x);
      const auto output = [&] {
        DoubleNumbers values;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
          const std::size_t f = i % static_cast<std::size_t>(filters);
          const double g = 1 / (1 + std::exp(-carry_sums[i] - double{carry_bias[f]}));
          const double r = std::max(0.0, transform_sums[i] + double{transform_bias[f]});
          values.push_back(g * r + (1 - g) * inputs[i]);
        }
        return values;
      };
      const auto loss = [&, y_gradient = widened(gradient)] {
        const DoubleNumbers values = output();
        double sum = 0;
        for (std::size_t i = 0; i < values.size(); ++i) sum += y_gradient[i] * values[i];
        return sum;
      };

      FloatNumbers in_place = x;
      FloatNumbers other_carry = carry;
      FloatNumbers other_transform = transform;
      highway_forward(other_carry.data(), carry_bias.data(), other_transform.data(),
                      transform_bias.data(), in_place.data(), kRows, filters, in_place.data());
      highway_forward(carry.data(), carry_bias.data(), transform.data(), transform_bias.data(),
                      x.data(), kRows, filters, y.data());
      CHECK(in_place == y);
      CHECK(largest_difference(y, output()) < 2e-6);
      highway_backward(carry.data(), transform.data(), x.data(), kRows, filters, gradient.data());
      CHECK(largest_difference(carry, central_differences(carry_sums, loss)) < 2e-6);
      CHECK(largest_difference(transform, central_differences(transform_sums, loss)) < 2e-6);
      CHECK(largest_difference(gradient, central_differences(inputs, loss)) < 2e-6);
    }
  });
}

constexpr std::int64_t kCharacters = 11;
constexpr std::int64_t kCharacterDim = 3;
constexpr double kTableTolerance = 1e-6;

TEST_CASE("table lookups match the convolution") {
  std::mt19937 generator(7);
  std::normal_distribution<float> normal;
  std::uniform_int_distribution<std::int32_t> any(0, kCharacters - 1);
  const auto values = [&](std::int64_t count) {
    std::vector<float> result(static_cast<std::size_t>(count));
    for (float& value : result) value = normal(generator);
    return result;
  };
  const std::vector<float> embedding = values(kCharacters * kCharacterDim);
  // Numbers of filters: less than one block, one block, and several blocks with a rest.
  for (const std::int64_t filters : {1, 32, 77}) {
    for (const std::int64_t width : {1, 4}) {
      for (const Activation activation : {Activation::relu, Activation::tanh}) {
        CAPTURE(filters);
        CAPTURE(width);
        const std::vector<float> weights = values(width * kCharacterDim * filters);
        const std::vector<float> bias = values(filters);
        const CharacterTable table(embedding, kCharacterDim, weights, bias, width);
        REQUIRE(table.width() == width);
        REQUIRE(table.filters() == filters);

        std::vector<std::vector<std::int32_t>> words;
        for (const std::int64_t length : {width, width + 1, width + 9}) {
          words.emplace_back(static_cast<std::size_t>(length));
          for (std::int32_t& id : words.back()) id = any(generator);
        }
        const std::vector<std::span<const std::int32_t>> views(words.begin(), words.end());
        const std::int64_t stride = filters + 5;
        std::vector<float> found(words.size() * static_cast<std::size_t>(stride), 99.0F);
        table.pool(views, activation, found.data(), stride);

        for (std::size_t w = 0; w < words.size(); ++w) {
          const float* row = found.data() + static_cast<std::int64_t>(w) * stride;
          for (std::int64_t f = 0; f < filters; ++f) {
            double largest = -std::numeric_limits<double>::infinity();
            for (std::size_t p = 0; p + static_cast<std::size_t>(width) <= words[w].size(); ++p) {
              double sum{bias[static_cast<std::size_t>(f)]};
              for (std::int64_t i = 0; i < width; ++i) {
                const std::int64_t id = words[w][p + static_cast<std::size_t>(i)];
                for (std::int64_t c = 0; c < kCharacterDim; ++c) {
                  sum +=
                      double{embedding[static_cast<std::size_t>(id * kCharacterDim + c)]} *
                      double{
                          weights[static_cast<std::size_t>((i * kCharacterDim + c) * filters + f)]};
                }
              }
              largest = std::max(largest, sum);
            }
            const double expected =
                activation == Activation::relu ? std::max(largest, 0.0) : std::tanh(largest);
            CHECK(std::fabs(double{row[f]} - expected) <=
                  kTableTolerance * (1 + std::fabs(expected)));
          }
          CHECK(std::all_of(row + filters, row + stride, [](float v) { return v == 99.0F; }));
        }
      }
    }
  }
}

}  // namespace
}  // namespace elmo
