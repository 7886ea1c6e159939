#include "core/kernels/product.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
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

// Those that fit as they are, and those that are padded.
constexpr ProductShape kShapes[] = {{32, 64, 32}, {128, 96, 64}, {1, 1, 1},
                                    {5, 7, 3},    {33, 64, 70},  {96, 20, 31}};

// Inputs as `view`s of matrices whose rows are `gap` further apart than they are long.
struct Input {
  Input(std::int64_t row_count, std::int64_t column_count, bool is_transposed, std::int64_t gap,
        std::uint32_t seed)
      : rows(row_count),
        columns(column_count),
        transposed(is_transposed),
        stride((transposed ? rows : columns) + gap),
        values(normal_numbers((transposed ? columns : rows) * stride, 1.0F, seed)) {}

  MatrixView view() const { return {values.data(), stride, transposed}; }
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

// The largest |c − (before + a·b)| over the root of k, which the sums of random numbers grow with.
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

// Rounding to bfloat16 changes a number by 2^-9 of it at most.
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

TEST_CASE("products of all shapes, transposed or with gaps, are those of double precision") {
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
        const Result result = (form & 8) != 0 ? Result::added : Result::replaced;
        std::vector<float> c(static_cast<std::size_t>(m * stride), 0.5F);
        products.multiply(a.view(), b.view(), m, n, k, c.data(), stride, result);
        CHECK(error(a, b, c, stride, result == Result::added ? 0.5 : 0.0) < tolerance(precision));
        if (gap > 0) CHECK(c[static_cast<std::size_t>(n)] == 0.5F);
      }
    }
  });
}

// Rows of an operand that stand before those that are multiplied.
constexpr std::int64_t kFirst = 3;

// The matrix, behind rows of other numbers.
Operand operand(const Input& input, Precision precision) {
  Operand result;
  result.resize(kFirst + input.rows, input.columns, precision);
  std::fill_n(result.row(0), kFirst * input.columns, 9.0F);
  std::copy(input.values.begin(), input.values.end(), result.row(kFirst));
  result.round(0, kFirst + input.rows);
  return result;
}

TEST_CASE("weights of a step are multiplied as they are and transposed, one after another") {
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
        weights.set(w.view(), k, n);
        const Result result = (form & 4) != 0 ? Result::added : Result::replaced;
        const Input a(m, k, false, 0, 4);
        std::vector<float> c(static_cast<std::size_t>(m * n), 0.5F);
        products.multiply(operand(a, precision), kFirst, m, weights, c.data(), result);
        CHECK(error(a, w, c, n, result == Result::added ? 0.5 : 0.0) < tolerance(precision));
      }
    }
  });
}

TEST_CASE("a gradient of weights is the product of inputs and gradients over their first rows") {
  for_each_precision([](Precision precision) {
    Products products(precision);
    for (const auto& [rows, n, k] : kShapes) {
      CAPTURE(rows);
      CAPTURE(n);
      CAPTURE(k);
      const Input inputs(k, rows, true, 0, 8);
      const Input gradients(rows, n, false, 0, 9);
      Operand left;
      Operand right;
      left.resize(rows + 2, k, precision);
      right.resize(rows + 1, n, precision);
      std::copy(inputs.values.begin(), inputs.values.end(), left.row(0));
      std::copy(gradients.values.begin(), gradients.values.end(), right.row(0));
      left.round(0, rows);
      right.round(0, rows);
      for (const Result result : {Result::replaced, Result::added}) {
        std::vector<float> c(static_cast<std::size_t>(k * n), 0.5F);
        products.weight_gradient(left, right, rows, c.data(), result);
        CHECK(error(inputs, gradients, c, n, result == Result::added ? 0.5 : 0.0) <
              tolerance(precision));
      }
    }
  });
}

TEST_CASE("the same product again gives the same bits") {
  for_each_precision([](Precision precision) {
    const Input a(64, 96, true, 0, 6);
    const Input b(96, 32, false, 0, 7);
    std::vector<std::vector<float>> results;
    for (int time = 0; time < 2; ++time) {
      Products products(precision);
      std::vector<float>& c = results.emplace_back(64 * 32);
      products.multiply(a.view(), b.view(), 64, 32, 96, c.data(), 32, Result::replaced);
    }
    CHECK(results[0] == results[1]);
  });
}

TEST_CASE("int8 is refused") { CHECK_THROWS_AS(Products(Precision::int8), RequestError); }

}  // namespace
}  // namespace elmo
