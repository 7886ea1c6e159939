#include "core/kernels/character_table.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace elmo {
namespace {

constexpr std::int64_t kCharacters = 11;
constexpr std::int64_t kCharacterDim = 3;
constexpr double kTableTolerance = 1e-6;

TEST_CASE("sums that are looked up are those of the convolution") {
  std::mt19937 generator(7);
  std::normal_distribution<float> normal;
  std::uniform_int_distribution<std::int32_t> any(0, kCharacters - 1);
  const auto values = [&](std::int64_t count) {
    std::vector<float> result(static_cast<std::size_t>(count));
    for (float& value : result) value = normal(generator);
    return result;
  };
  const std::vector<float> embedding = values(kCharacters * kCharacterDim);
  // Filters of less than a block, of one and of several, with a rest.
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
