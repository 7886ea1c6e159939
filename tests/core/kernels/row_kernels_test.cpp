#include "core/kernels/row_kernels.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/kernels/convert.h"
#include "tests/core/kernels/instruction_sets.h"
#include "tests/core/kernels/numbers.h"

namespace elmo {
namespace {

constexpr std::int64_t kFoundRows = 3;

double sum_of_products(const DoubleNumbers& a, const FloatNumbers& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * double{b[i]};
  return sum;
}

// Returns [c; a; c ⊙ a; c ⊙ h] for each row; h may be empty.
DoubleNumbers joined_by_equations(const DoubleNumbers& c, const DoubleNumbers& a,
                                  const DoubleNumbers& h) {
  DoubleNumbers joined;
  const std::size_t columns = c.size() / static_cast<std::size_t>(kFoundRows);
  for (std::size_t first = 0; first < c.size(); first += columns) {
    for (std::size_t i = 0; i < columns; ++i) joined.push_back(c[first + i]);
    for (std::size_t i = 0; i < columns; ++i) joined.push_back(a[first + i]);
    for (std::size_t i = 0; i < columns; ++i) joined.push_back(c[first + i] * a[first + i]);
    for (std::size_t i = 0; i < h.size(); ++i) joined.push_back(c[first + i] * h[i]);
  }
  return joined;
}

TEST_CASE("join_found and its gradient") {
  for_each_instruction_set([] {
    for (const std::int64_t columns : {1, 16, 37}) {
      for (const bool shared : {false, true}) {
        CAPTURE(columns);
        CAPTURE(shared);
        const FloatNumbers c = normal_numbers(kFoundRows * columns, 1.0F, 1);
        const FloatNumbers a = normal_numbers(kFoundRows * columns, 1.0F, 2);
        const FloatNumbers h = normal_numbers(shared ? columns : 0, 1.0F, 3);
        const FoundRows found{kFoundRows, columns, c.data(), a.data(), shared ? h.data() : nullptr};
        FloatNumbers joined(static_cast<std::size_t>((shared ? 4 : 3) * kFoundRows * columns));
        join_found(found, joined.data());
        DoubleNumbers wide_c = widened(c);
        DoubleNumbers wide_a = widened(a);
        DoubleNumbers wide_h = widened(h);
        CHECK(largest_difference(joined, joined_by_equations(wide_c, wide_a, wide_h)) < 1e-6);

        const FloatNumbers gradient =
            normal_numbers(static_cast<std::int64_t>(joined.size()), 1.0F, 4);
        const auto loss = [&] {
          return sum_of_products(joined_by_equations(wide_c, wide_a, wide_h), gradient);
        };
        FloatNumbers to_c(c.size(), 9.0F);
        FloatNumbers to_a(a.size(), 9.0F);
        FloatNumbers to_h(h.size(), 0.0F);
        join_found_backward(found, gradient.data(), to_c.data(), to_a.data(), to_h.data());
        CHECK(largest_difference(to_c, central_differences(wide_c, loss)) < 1e-5);
        CHECK(largest_difference(to_a, central_differences(wide_a, loss)) < 1e-5);
        CHECK(largest_difference(to_h, central_differences(wide_h, loss)) < 1e-5);
      }
    }
  });
}

TEST_CASE("weigh_rows and its gradient") {
  for_each_instruction_set([] {
    for (const std::int64_t columns : {1, 16, 37}) {
      for (const bool has_sums : {false, true}) {
        CAPTURE(columns);
        CAPTURE(has_sums);
        const FloatNumbers c = normal_numbers(kFoundRows * columns, 1.0F, 1);
        const FloatNumbers w1 = normal_numbers(columns, 1.0F, 2);
        const FloatNumbers w2 = normal_numbers(columns, 1.0F, 3);
        const FloatNumbers w3 = normal_numbers(columns, 1.0F, 4);
        const FloatNumbers gradient = normal_numbers(kFoundRows * columns, 1.0F, 5);
        const FloatNumbers sums = normal_numbers(has_sums ? kFoundRows : 0, 1.0F, 6);
        DoubleNumbers wide_c = widened(c);
        DoubleNumbers wide_w1 = widened(w1);
        DoubleNumbers wide_w2 = widened(w2);
        DoubleNumbers wide_w3 = widened(w3);
        const auto loss = [&] {
          double sum = 0.0;
          for (std::size_t i = 0; i < c.size(); ++i) {
            const std::size_t at = i % w1.size();
            sum += double{gradient[i]} * (wide_w3[at] * wide_c[i] + wide_w2[at]);
            if (has_sums) sum += double{sums[i / w1.size()]} * wide_w1[at] * wide_c[i];
          }
          return sum;
        };
        FloatNumbers weighed(c.size());
        weigh_rows(c.data(), kFoundRows, columns, w2.data(), w3.data(), weighed.data());
        for (std::size_t i = 0; i < c.size(); ++i) {
          const std::size_t at = i % w1.size();
          CHECK(weighed[i] == doctest::Approx(wide_w3[at] * wide_c[i] + wide_w2[at]).epsilon(1e-5));
        }
        FloatNumbers to_c(c.size(), 0.0F);
        FloatNumbers to_w1(w1.size(), 0.0F);
        FloatNumbers to_w2(w1.size(), 0.0F);
        FloatNumbers to_w3(w1.size(), 0.0F);
        WeighedRowsGradient task;
        task.rows = kFoundRows;
        task.columns = columns;
        task.c = c.data();
        task.gradient = gradient.data();
        task.w3 = w3.data();
        task.to_c = to_c.data();
        task.to_w2 = to_w2.data();
        task.to_w3 = to_w3.data();
        if (has_sums) {
          task.sums = sums.data();
          task.w1 = w1.data();
          task.to_w1 = to_w1.data();
        }
        weigh_rows_backward(task);
        CHECK(largest_difference(to_c, central_differences(wide_c, loss)) < 1e-5);
        CHECK(largest_difference(to_w1, central_differences(wide_w1, loss)) < 1e-5);
        CHECK(largest_difference(to_w2, central_differences(wide_w2, loss)) < 1e-5);
        CHECK(largest_difference(to_w3, central_differences(wide_w3, loss)) < 1e-5);
      }
    }
  });
}

TEST_CASE("gradients of a row paired with others, and of the others") {
  constexpr std::int64_t kRows = 6;
  const std::vector<std::int32_t> others = {0, 2, 5};
  const auto count = static_cast<std::int64_t>(others.size());
  for_each_instruction_set([&] {
    for (const std::int64_t size : {1, 7, 16, 131}) {
      CAPTURE(size);
      const FloatNumbers a = normal_numbers(size, 1.0F, 1);
      const FloatNumbers c = normal_numbers(size, 1.0F, 2);
      const FloatNumbers rows = normal_numbers(kRows * size, 1.0F, 3);
      const FloatNumbers slopes = normal_numbers(count, 1.0F, 4);
      const FloatNumbers product_gradient = normal_numbers(count * size, 1.0F, 5);
      FloatNumbers a_gradient = normal_numbers(size, 1.0F, 6);
      FloatNumbers c_gradient = normal_numbers(size, 1.0F, 7);
      FloatNumbers row_gradient = normal_numbers(kRows * size, 1.0F, 8);
      DoubleNumbers of_a = widened(a_gradient);
      DoubleNumbers of_c = widened(c_gradient);
      DoubleNumbers of_rows = widened(row_gradient);
      for (std::size_t n = 0; n < others.size(); ++n) {
        for (std::size_t i = 0; i < a.size(); ++i) {
          const std::size_t at = static_cast<std::size_t>(others[n]) * a.size() + i;
          const double product = product_gradient[n * a.size() + i];
          of_a[i] += product * rows[at];
          of_c[i] += double{slopes[n]} * rows[at];
          of_rows[at] += product * a[i] + double{slopes[n]} * c[i];
        }
      }
      RowPairGradient task;
      task.pairs = {size, count, a.data(), rows.data(), others.data()};
      task.c = c.data();
      task.product_gradient = product_gradient.data();
      task.slopes = slopes.data();
      task.a_gradient = a_gradient.data();
      task.c_gradient = c_gradient.data();
      task.row_gradient = row_gradient.data();
      row_pair_backward(task);
      CHECK(largest_difference(a_gradient, of_a) < 5e-6);
      CHECK(largest_difference(c_gradient, of_c) < 5e-6);
      CHECK(largest_difference(row_gradient, of_rows) < 5e-6);
    }
  });
}

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
  from_float16(halves, values);  // so that both types have the same sums
  // The memory ends with the last number: nothing past it may be read.
  values.resize(values.size() - 5);
  halves.resize(halves.size() - 5);
  values.shrink_to_fit();
  halves.shrink_to_fit();
  for (const bool half : {false, true}) {
    std::vector<float> products(kProductRows);
    std::vector<float> scales(kProductRows);
    if (half) {
      inner_products(vector, halves.data(), stride, products, scales);
    } else {
      inner_products(vector, values.data(), stride, products, scales);
    }
    for (std::size_t row = 0; row < kProductRows; ++row) {
      double product = 0;
      double squares = 0;
      double magnitude = 0;  // rounding errors are proportional to the terms
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

TEST_CASE("inner products and lengths of rows of any width and alignment") {
  for_each_instruction_set([] {
    std::mt19937 chance(5);
    for (const std::int64_t width : {1, 3, 16, 17, 63, 64, 100, 256, 300}) {
      check_rows(width, chance);
    }
  });
}

}  // namespace elmo
