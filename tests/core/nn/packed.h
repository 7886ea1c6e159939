// Packed rows for tests of layers, and the same rows in the reference's form.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <functional>
#include <vector>

#include "core/nn/layer.h"
#include "tests/core/kernels/numbers.h"
#include "tests/core/tolerances.h"
#include "tests/reference/text_layers.h"

namespace elmo {

inline Sequences sequences_of(const std::vector<std::int64_t>& lengths) {
  Sequences sequences;
  for (const std::int64_t length : lengths) sequences.add(length);
  return sequences;
}

inline Matrix normal_matrix(std::int64_t rows, std::int64_t columns, unsigned seed,
                            float deviation = 1.0F) {
  Matrix matrix(rows, columns);
  const FloatNumbers values = normal_numbers(rows * columns, deviation, seed);
  std::copy(values.begin(), values.end(), matrix.values.begin());
  return matrix;
}

inline DoubleNumbers widened(const Matrix& matrix) {
  return {matrix.values.begin(), matrix.values.end()};
}

/// Returns rows `begin` … `end` − 1 of a matrix with this many columns.
inline ReferenceRows rows_of(const DoubleNumbers& values, std::int64_t columns, std::int64_t begin,
                             std::int64_t end) {
  ReferenceRows rows;
  for (std::int64_t row = begin; row < end; ++row) {
    const auto from = values.begin() + row * columns;
    rows.emplace_back(from, from + columns);
  }
  return rows;
}

/// Returns the rows of sequence `b`.
inline ReferenceRows rows_of(const DoubleNumbers& values, std::int64_t columns,
                             const Sequences& sequences, std::int64_t b) {
  return rows_of(values, columns, sequences.begin(b), sequences.begin(b + 1));
}

inline void append(DoubleNumbers& values, const ReferenceRow& row) {
  values.insert(values.end(), row.begin(), row.end());
}

inline void append(DoubleNumbers& values, const ReferenceRows& rows) {
  for (const ReferenceRow& row : rows) append(values, row);
}

/// Returns a loss whose gradient with respect to `outputs` is `gradient`.
inline double weighted(const DoubleNumbers& outputs, const Matrix& gradient) {
  REQUIRE(outputs.size() == gradient.values.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < outputs.size(); ++i) sum += outputs[i] * double{gradient.values[i]};
  return sum;
}

/// Compares outputs of a layer with the reference's.
inline void check_outputs(const AlignedVector<float>& found, const DoubleNumbers& expected) {
  CHECK(largest_difference({found.begin(), found.end()}, expected) < kFloat32Tolerance);
}

/// Compares a layer's gradient with differences of `loss`, a function of `values`.
inline void check_gradient(const AlignedVector<float>& found, DoubleNumbers& values,
                           const std::function<double()>& loss) {
  const DoubleNumbers expected = central_differences(values, loss);
  double largest = 1e-3;  // allows for gradients that are 0 everywhere
  for (const double value : expected) largest = std::max(largest, std::fabs(value));
  CHECK(largest_difference({found.begin(), found.end()}, expected) / largest < kGradientTolerance);
}

}  // namespace elmo
