#include "core/kernels/row_softmax.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/core/kernels/instruction_sets.h"
#include "tests/core/kernels/numbers.h"

namespace elmo {
namespace {

DoubleNumbers softmax_of(const double* values, std::int64_t size) {
  double sum = 0.0;
  for (std::int64_t i = 0; i < size; ++i) sum += std::exp(values[i]);
  DoubleNumbers shares;
  for (std::int64_t i = 0; i < size; ++i) shares.push_back(std::exp(values[i]) / sum);
  return shares;
}

TEST_CASE("softmax of rows, and its gradient") {
  for_each_instruction_set([] {
    constexpr std::int64_t kRows = 3;
    for (const std::int64_t columns : {1, 2, 15, 16, 17, 300}) {
      CAPTURE(columns);
      const std::int64_t stride = columns + 5;
      const FloatNumbers values = normal_numbers(kRows * stride, 4.0F, 1);
      const FloatNumbers weights = normal_numbers(kRows * stride, 1.0F, 2);
      FloatNumbers shares = values;
      softmax_rows(shares.data(), kRows, columns, stride);
      FloatNumbers gradient = weights;
      softmax_rows_backward(shares.data(), kRows, columns, stride, gradient.data());
      for (std::int64_t row = 0; row < kRows; ++row) {
        const auto begin = values.begin() + row * stride;
        DoubleNumbers one(begin, begin + columns);
        const auto found = shares.begin() + row * stride;
        CHECK(largest_difference({found, found + columns}, softmax_of(one.data(), columns)) < 1e-6);
        const DoubleNumbers expected = central_differences(one, [&] {
          const DoubleNumbers of_one = softmax_of(one.data(), columns);
          double loss = 0.0;
          for (std::int64_t c = 0; c < columns; ++c) {
            loss += of_one[static_cast<std::size_t>(c)] *
                    double{weights[static_cast<std::size_t>(row * stride + c)]};
          }
          return loss;
        });
        const auto slope = gradient.begin() + row * stride;
        CHECK(largest_difference({slope, slope + columns}, expected) < 1e-6);
        // What is between the rows is another's.
        CHECK(shares[static_cast<std::size_t>(row * stride + columns)] ==
              values[static_cast<std::size_t>(row * stride + columns)]);
        CHECK(gradient[static_cast<std::size_t>(row * stride + columns)] ==
              weights[static_cast<std::size_t>(row * stride + columns)]);
      }
    }
  });
}

TEST_CASE("softmax of values of any size, and of something that is not a number") {
  for_each_instruction_set([] {
    FloatNumbers values{1000.0F, 999.0F, -3e38F};
    softmax_rows(values.data(), 1, 3, 3);
    CHECK(values[0] == doctest::Approx(1.0 / (1.0 + std::exp(-1.0))));
    CHECK(values[2] == 0.0F);
    for (const std::size_t place : {0U, 5U, 17U}) {
      FloatNumbers row(18, 1.0F);
      row[place] = std::numeric_limits<float>::quiet_NaN();
      softmax_rows(row.data(), 1, 18, 18);
      for (const float value : row) CHECK(std::isnan(value));
    }
  });
}

}  // namespace
}  // namespace elmo
