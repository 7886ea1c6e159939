#include "core/kernels/inner_products.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/kernels/convert.h"
#include "tests/core/kernels/instruction_sets.h"

namespace elmo {
namespace {

constexpr std::size_t kProductRows = 19;

void check_rows(std::int64_t width, std::mt19937& chance) {
  CAPTURE(width);
  std::normal_distribution<float> normal;
  const std::int64_t stride = width + 5;
  std::vector<float> vector(static_cast<std::size_t>(width));
  for (float& value : vector) value = normal(chance);
  std::vector<std::uint16_t> halves(kProductRows * static_cast<std::size_t>(stride));
  std::vector<float> values(halves.size());
  for (float& value : values) value = normal(chance);
  std::fill_n(values.begin() + 3 * stride, stride, 0.0F);
  to_float16(values, halves);
  from_float16(halves, values);  // so that both forms have the same sums
  // To the last number: nothing past it may be read.
  values.resize(values.size() - 5);
  halves.resize(halves.size() - 5);
  values.shrink_to_fit();
  halves.shrink_to_fit();
  for (const bool half : {false, true}) {
    std::vector<float> products(kProductRows);
    std::vector<float> scales(kProductRows);
    if (half) {
      row_products(vector, halves.data(), stride, products, scales);
    } else {
      row_products(vector, values.data(), stride, products, scales);
    }
    for (std::size_t row = 0; row < kProductRows; ++row) {
      double product = 0;
      double squares = 0;
      double magnitude = 0;  // the rounding errors are as large as the terms
      for (std::size_t i = 0; i < vector.size(); ++i) {
        const double value = double{values[row * static_cast<std::size_t>(stride) + i]};
        product += double{vector[i]} * value;
        magnitude += std::abs(double{vector[i]} * value);
        squares += value * value;
      }
      CHECK(std::abs(double{products[row]} - product) <= 1e-6 * magnitude);
      const double scale = squares > 0 ? 1 / std::sqrt(squares) : 0.0;
      CHECK(double{scales[row]} == doctest::Approx(scale).epsilon(1e-6));
    }
  }
}

}  // namespace

TEST_CASE("row_products: products and lengths of rows of any width, wherever they stand") {
  for_each_instruction_set([] {
    std::mt19937 chance(5);
    for (const std::int64_t width : {1, 3, 16, 17, 63, 64, 100, 256, 300}) {
      check_rows(width, chance);
    }
  });
}

}  // namespace elmo
