#include "core/kernels/product.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "core/error.h"
#include "core/kernels/precision.h"
#include "tests/core/kernels/numbers.h"

namespace elmo {
namespace {

struct ProductShape {
  std::int64_t m;
  std::int64_t n;
  std::int64_t k;
};

// Sizes that fit without padding, and sizes that are padded.
constexpr ProductShape kShapes[] = {{32, 64, 32}, {128, 96, 64}, {1, 1, 1},
                                    {5, 7, 3},    {33, 64, 70},  {96, 20, 31}};

// Inputs as `view`s of matrices with `gap` unused numbers after each row.
struct Input {
  Input(std::int64_t row_count, std::int64_t column_count, bool is_transposed, std::int64_t gap,
        std::uint32_t seed)
      : rows(row_count),
        columns(column_count),
        transposed(is_transposed),
        stride((transposed ? rows : columns) + gap),
        values(normal_numbers((transposed ? columns : rows) * stride, 1.0F, seed)) {}

  ConstFloatView view() const {
    if (transposed) return ConstFloatView(values.data(), columns, rows, stride).transposed();
    return {values.data(), rows, columns, stride};
  }
  double at(std::int64_t row, std::int64_t column) const {
    const std::int64_t place = transposed ? column * stride + row : row * stride + column;
    return values[static_cast<std::size_t>(place)];
  }

  std::int64_t rows;
  std::int64_t columns;
  bool transposed;
  std::int64_t stride;
  FloatNumbers values;
};

// Returns the largest |c − (before + a·b)| divided by √k, with which sums of random numbers grow.
double error(const Input& a, const Input& b, const std::vector<float>& c, std::int64_t stride,
             double before) {
  double worst = 0;
  for (std::int64_t row = 0; row < a.rows; ++row) {
    for (std::int64_t column = 0; column < b.columns; ++column) {
      double sum = before;
      for (std::int64_t i = 0; i < a.columns; ++i) sum += a.at(row, i) * b.at(i, column);
      worst = std::max(
          worst,
          std::fabs(static_cast<double>(c[static_cast<std::size_t>(row * stride + column)]) - sum));
    }
  }
  return worst / std::sqrt(static_cast<double>(a.columns));
}

// Rounding to bfloat16 changes a number by at most 2^-9 of its size.
double tolerance(Precision precision) { return precision == Precision::float32 ? 1e-5 : 5e-2; }

template <typename Body>
void for_each_precision(Body body) {
  for (const Precision precision : {Precision::float32, Precision::bfloat16}) {
    if (!is_supported(precision)) {
      MESSAGE("skipped: this CPU has no instructions for ", kPrecisions.word(precision));
      continue;
    }
    CAPTURE(kPrecisions.word(precision));
    body(precision);
  }
}

TEST_CASE("products of all shapes, transposed or with gaps, match double precision") {
  for_each_precision([](Precision precision) {
    Products products(precision);
    for (const auto& [m, n, k] : kShapes) {
      CAPTURE(m);
      CAPTURE(n);
      CAPTURE(k);
      for (int form = 0; form < 16; ++form) {
        CAPTURE(form);
        const std::int64_t gap = (form & 4) != 0 ? 3 : 0;
        const Input a(m, k, (form & 1) != 0, gap, 1);
        const Input b(k, n, (form & 2) != 0, gap, 2);
        const std::int64_t stride = n + gap;
        const Beta beta = (form & 8) != 0 ? Beta::one : Beta::zero;
        std::vector<float> c(static_cast<std::size_t>(m * stride), 0.5F);
        products.multiply(a.view(), b.view(), {c.data(), m, n, stride}, beta);
        CHECK(error(a, b, c, stride, beta == Beta::one ? 0.5 : 0.0) < tolerance(precision));
        if (precision == Precision::float32) {
          std::vector<float> plain(c.size(), 0.5F);
          multiply(a.view(), b.view(), {plain.data(), m, n, stride}, beta);
          CHECK(plain == c);
        }
        if (gap > 0) CHECK(c[static_cast<std::size_t>(n)] == 0.5F);
      }
    }
  });
}

// Rows of an operand before the multiplied ones.
constexpr std::int64_t kFirst = 3;

// A matrix without gaps, after `first` rows of other numbers.
Operand operand(const FloatNumbers& values, std::int64_t columns, std::int64_t first,
                Precision precision) {
  const std::int64_t rows = static_cast<std::int64_t>(values.size()) / columns;
  Operand result;
  result.resize(first + rows, columns, precision);
  for (std::int64_t row = 0; row < first; ++row) std::fill_n(result.row(row), columns, 9.0F);
  for (std::int64_t row = 0; row < rows; ++row) {
    std::copy_n(values.data() + row * columns, columns, result.row(first + row));
  }
  result.round(0, first + rows);
  return result;
}

TEST_CASE("weights of a step are multiplied as they are and transposed, one after the other") {
  for_each_precision([](Precision precision) {
    Products products(precision);
    StepWeights weights(precision);
    for (const auto& [m, n, k] : kShapes) {
      CAPTURE(m);
      CAPTURE(n);
      CAPTURE(k);
      for (int form = 0; form < 8; ++form) {
        CAPTURE(form);
        const Input w(k, n, (form & 1) != 0, (form & 2) != 0 ? 3 : 0, 3);
        weights.set(w.view());
        const Beta beta = (form & 4) != 0 ? Beta::one : Beta::zero;
        const Input a(m, k, false, 0, 4);
        std::vector<float> c(static_cast<std::size_t>(m * n), 0.5F);
        const Operand left = operand(a.values, k, kFirst, precision);
        products.multiply(left.rows(kFirst, m), weights, {c.data(), m, n}, beta);
        CHECK(error(a, w, c, n, beta == Beta::one ? 0.5 : 0.0) < tolerance(precision));
      }
    }
  });
}

TEST_CASE("a weight gradient is the product of inputs and gradients over their first rows") {
  for_each_precision([](Precision precision) {
    Products products(precision);
    for (const auto& [rows, n, k] : kShapes) {
      CAPTURE(rows);
      CAPTURE(n);
      CAPTURE(k);
      const Input inputs(k, rows, true, 0, 8);
      const Input gradients(rows, n, false, 0, 9);
      const Operand left = operand(inputs.values, k, 0, precision);
      const Operand right = operand(gradients.values, n, 0, precision);
      for (const Beta beta : {Beta::zero, Beta::one}) {
        std::vector<float> c(static_cast<std::size_t>(k * n), 0.5F);
        products.weight_gradient(left.rows(0, rows), right.rows(0, rows), {c.data(), k, n}, beta);
        CHECK(error(inputs, gradients, c, n, beta == Beta::one ? 0.5 : 0.0) < tolerance(precision));
      }
    }
  });
}

TEST_CASE("repeating a product gives the same bits") {
  for_each_precision([](Precision precision) {
    const Input a(64, 96, true, 0, 6);
    const Input b(96, 32, false, 0, 7);
    std::vector<std::vector<float>> results;
    for (int time = 0; time < 2; ++time) {
      Products products(precision);
      std::vector<float>& c = results.emplace_back(64 * 32);
      products.multiply(a.view(), b.view(), {c.data(), 64, 32});
    }
    CHECK(results[0] == results[1]);
  });
}

TEST_CASE("a product in pieces equals the whole product, for any number of workers") {
  for (const std::int64_t rows : {std::int64_t{1}, std::int64_t{47}, std::int64_t{500}}) {
    CAPTURE(rows);
    constexpr std::int64_t kStride = 6;
    for (const bool transposed : {false, true}) {
      const Input a(rows, 7, transposed, 0, 1);
      const Input b(7, 5, false, 0, 3);
      std::vector<std::vector<float>> results;
      for (const int count : {1, 2, 3}) {
        Workers workers(count);
        std::vector<float>& c =
            results.emplace_back(static_cast<std::size_t>(rows * kStride), 0.5F);
        multiply(a.view(), b.view(), {c.data(), rows, 5, kStride}, Beta::one, workers);
      }
      CHECK(error(a, b, results[0], kStride, 0.5) < tolerance(Precision::float32));
      CHECK(results[1] == results[0]);
      CHECK(results[2] == results[0]);
    }
  }
}

TEST_CASE("a product with an empty dimension is empty or zero") {
  std::vector<float> c(6, 1.0F);
  multiply({nullptr, 0, 3}, {nullptr, 3, 2}, {nullptr, 0, 2});
  multiply({nullptr, 2, 3}, {nullptr, 3, 0}, {nullptr, 2, 0});
  multiply({nullptr, 2, 0}, {nullptr, 0, 2}, {c.data(), 2, 2, 3}, Beta::one);
  CHECK(c == std::vector<float>(6, 1.0F));
  multiply({nullptr, 2, 0}, {nullptr, 0, 2}, {c.data(), 2, 2, 3});
  CHECK(c == std::vector<float>{0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 1.0F});
}

TEST_CASE("a product of shapes that do not match is refused") {
  std::vector<float> values(12, 1.0F);
  const FloatView square(values.data(), 2, 2);
  CHECK_THROWS_AS(multiply({values.data(), 2, 3}, square, square), std::logic_error);
  CHECK_THROWS_AS(multiply(square, square, {values.data(), 2, 3}), std::logic_error);
  CHECK_THROWS_AS(multiply(square, square, {values.data(), 3, 2}), std::logic_error);
  CHECK_THROWS_AS(multiply(square, square, square.transposed()), std::logic_error);
}

TEST_CASE("int8 is refused") { CHECK_THROWS_AS(Products{Precision::int8}, RequestError); }

}  // namespace
}  // namespace elmo
