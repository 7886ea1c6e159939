#include "core/nn/sequence_pooling.h"

#include <doctest/doctest.h>

#include <limits>

#include "tests/core/nn/packed.h"

namespace elmo {
namespace {

constexpr std::int64_t kPooledColumns = 6;
constexpr std::int64_t kFirstColumn =
    3;  // columns before the pooled ones, which pooling must not change
constexpr std::int64_t kPooledWidth = kFirstColumn + kPooledColumns + 2;

// Returns the pooled columns only.
AlignedVector<float> pooled_part(const Matrix& pooled) {
  AlignedVector<float> part;
  for (std::int64_t b = 0; b < pooled.rows; ++b) {
    part.insert(part.end(), pooled.row(b) + kFirstColumn,
                pooled.row(b) + kFirstColumn + kPooledColumns);
  }
  return part;
}

Matrix as_matrix(const AlignedVector<float>& values) {
  Matrix matrix(static_cast<std::int64_t>(values.size()) / kPooledColumns, kPooledColumns);
  matrix.values = values;
  return matrix;
}

ReferenceRow reference_pool(Pool kind, const ReferenceRows& rows) {
  if (kind == Pool::max) return reference_max_pool(rows);
  if (kind == Pool::min) return reference_min_pool(rows);
  return reference_mean_pool(rows);
}

TEST_CASE("max, min and mean pooling") {
  const Sequences sequences = sequences_of({4, 1, 9, 2});
  const Matrix rows = normal_matrix(sequences.rows(), kPooledColumns, 1);
  for (const Pool kind : {Pool::max, Pool::min, Pool::mean}) {
    CAPTURE(static_cast<int>(kind));
    DoubleNumbers values = widened(rows);
    const auto reference = [&] {
      DoubleNumbers pooled;
      for (std::int64_t b = 0; b < sequences.count(); ++b) {
        append(pooled, reference_pool(kind, rows_of(values, kPooledColumns, sequences, b)));
      }
      return pooled;
    };
    SequencePooling pooling(kind);
    Matrix pooled(sequences.count(), kPooledWidth);
    pooling.forward(rows, sequences, pooled, kFirstColumn);
    check_outputs(pooled_part(pooled), reference());
    CHECK(pooled.row(1)[kFirstColumn - 1] == 0.0F);
    CHECK(pooled.row(1)[kFirstColumn + kPooledColumns] == 0.0F);

    const Matrix gradient = normal_matrix(sequences.count(), kPooledWidth, 2);
    Matrix row_gradient(rows.rows, kPooledColumns);
    pooling.backward(gradient, kFirstColumn, row_gradient);
    check_gradient(row_gradient.values, values,
                   [&] { return weighted(reference(), as_matrix(pooled_part(gradient))); });
  }
}

TEST_CASE("maximum and minimum of NaN are NaN") {
  const Sequences sequences = sequences_of({3});
  for (const std::int64_t place : {0, 1, 2}) {
    CAPTURE(place);
    Matrix rows = normal_matrix(3, kPooledColumns, 3);
    rows.row(place)[4] = std::numeric_limits<float>::quiet_NaN();
    for (const Pool kind : {Pool::max, Pool::min, Pool::mean}) {
      SequencePooling pooling(kind);
      Matrix pooled(1, kPooledColumns);
      pooling.forward(rows, sequences, pooled, 0);
      CHECK(std::isnan(pooled.row(0)[4]));
      CHECK(std::isfinite(pooled.row(0)[3]));
    }
  }
}

TEST_CASE("self-attentive pooling") {
  const Sequences sequences = sequences_of({5, 1, 3});
  const Matrix rows = normal_matrix(sequences.rows(), kPooledColumns, 4);
  SelfAttentivePooling pooling("pooling", kPooledColumns);
  Parameter& parameter = *pooling.parameters()[0];
  CHECK(parameter.name == "pooling/W");
  const FloatNumbers weights = normal_numbers(kPooledColumns, 1.0F, 5);
  std::copy(weights.begin(), weights.end(), parameter.values.begin());
  parameter.clear_gradient();
  DoubleNumbers values = widened(rows);
  DoubleNumbers w = widened(weights);
  const auto reference = [&] {
    DoubleNumbers pooled;
    for (std::int64_t b = 0; b < sequences.count(); ++b) {
      append(pooled,
             reference_self_attentive_pool(rows_of(values, kPooledColumns, sequences, b), w));
    }
    return pooled;
  };
  Matrix pooled(sequences.count(), kPooledWidth);
  pooling.forward(rows, sequences, pooled, kFirstColumn);
  check_outputs(pooled_part(pooled), reference());

  const Matrix gradient = normal_matrix(sequences.count(), kPooledWidth, 6);
  Matrix row_gradient(rows.rows, kPooledColumns);
  pooling.backward(gradient, kFirstColumn, row_gradient);
  const auto loss = [&] { return weighted(reference(), as_matrix(pooled_part(gradient))); };
  check_gradient(row_gradient.values, values, loss);
  check_gradient(parameter.gradient, w, loss);
}

}  // namespace
}  // namespace elmo
