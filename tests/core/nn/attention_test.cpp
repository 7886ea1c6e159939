#include "core/nn/attention.h"

#include <doctest/doctest.h>

#include <limits>

#include "tests/core/nn/packed.h"
#include "tests/core/nn/parameters.h"
#include "tests/reference/task_layers.h"

namespace elmo {
namespace {

constexpr std::int64_t kColumns = 5;

using Others = std::vector<std::int64_t>;

DoubleNumbers attended_reference(const DoubleNumbers& rows, const Sequences& sequences,
                                 const Others& others) {
  DoubleNumbers attended;
  for (std::int64_t b = 0; b < sequences.count(); ++b) {
    append(attended, reference_attention(
                         rows_of(rows, kColumns, sequences, b),
                         rows_of(rows, kColumns, sequences, others[static_cast<std::size_t>(b)])));
  }
  return attended;
}

TEST_CASE("attention of texts to others and to themselves") {
  const Sequences sequences = sequences_of({3, 1, 6, 2, 17});
  const Matrix rows = normal_matrix(sequences.rows(), kColumns, 1);
  for (const Others& others :
       {Others{0, 1, 2, 3, 4}, Others{1, 0, 4, 3, 2}, Others{2, 1, 0, 4, 3}}) {
    CAPTURE(others[0]);
    Workers workers(2);
    Attention attention;
    Matrix attended;
    attention.forward(rows, sequences, others, workers, attended);
    DoubleNumbers values = widened(rows);
    check_outputs(attended.values, attended_reference(values, sequences, others));

    const Matrix gradient = normal_matrix(rows.rows, kColumns, 3);
    Matrix row_gradient(rows.rows, kColumns);
    attention.backward(gradient, workers, row_gradient);
    check_gradient(row_gradient.values, values, [&] {
      return weighted(attended_reference(values, sequences, others), gradient);
    });

    // Gradients are added to the values in the array.
    const Matrix before = row_gradient;
    attention.backward(gradient, workers, row_gradient);
    for (std::size_t i = 0; i < before.values.size(); ++i) {
      CHECK(row_gradient.values[i] == doctest::Approx(2 * before.values[i]).epsilon(1e-5));
    }
  }
}

TEST_CASE("attention of long texts in blocks of rows equals that of the whole") {
  const Sequences sequences = sequences_of({600, 3});
  const Others others{0, 1};
  const Matrix rows = normal_matrix(sequences.rows(), kColumns, 6, 0.5F);
  Workers workers(1);
  Attention attention;
  Matrix attended;
  attention.forward(rows, sequences, others, workers, attended);
  DoubleNumbers values = widened(rows);
  check_outputs(attended.values, attended_reference(values, sequences, others));
  // Checks a few rows only: differences for 600 rows take long.
  const Matrix gradient = normal_matrix(rows.rows, kColumns, 7);
  Matrix row_gradient(rows.rows, kColumns);
  attention.backward(gradient, workers, row_gradient);
  for (const std::int64_t row : {0, 255, 256, 602}) {
    CAPTURE(row);
    const auto begin = values.begin() + row * kColumns;
    DoubleNumbers part(begin, begin + kColumns);
    const float* found = row_gradient.row(row);
    check_gradient({found, found + kColumns}, part, [&] {
      DoubleNumbers changed = values;
      std::copy(part.begin(), part.end(), changed.begin() + row * kColumns);
      return weighted(attended_reference(changed, sequences, others), gradient);
    });
  }
}

TEST_CASE("attention stays within a sequence, and NaN shows there") {
  const Sequences sequences = sequences_of({2, 3});
  Matrix rows = normal_matrix(5, kColumns, 8);
  rows.row(1)[2] = std::numeric_limits<float>::quiet_NaN();
  Workers workers(1);
  Attention attention;
  Matrix attended;
  attention.forward(rows, sequences, Others{0, 1}, workers, attended);
  for (std::int64_t c = 0; c < kColumns; ++c) {
    CHECK(std::isnan(attended.row(0)[c]));
    CHECK(std::isfinite(attended.row(2)[c]));
  }
}

TEST_CASE("compared rows and their gradient") {
  constexpr std::int64_t kRows = 4;
  const Matrix rows = normal_matrix(kRows, kColumns, 9);
  const Matrix attended = normal_matrix(kRows, kColumns, 10);
  DoubleNumbers a = widened(rows);
  DoubleNumbers found = widened(attended);
  const auto reference = [&] {
    DoubleNumbers compared;
    append(compared, reference_comparison(rows_of(a, kColumns, 0, kRows),
                                          rows_of(found, kColumns, 0, kRows), false));
    return compared;
  };
  Matrix compared;
  compare(rows, attended, compared);
  CHECK(compared.columns == kComparisonWidth * kColumns);
  check_outputs(compared.values, reference());

  const Matrix gradient = normal_matrix(kRows, compared.columns, 11);
  Matrix row_gradient(kRows, kColumns);
  Matrix attended_gradient;
  compare_backward(rows, attended, gradient, row_gradient, attended_gradient);
  const auto loss = [&] { return weighted(reference(), gradient); };
  check_gradient(row_gradient.values, a, loss);
  check_gradient(attended_gradient.values, found, loss);
}

TEST_CASE("a projection of compared rows equals that of the concatenation") {
  constexpr std::int64_t kProjected = 4;
  for (const std::int64_t count : {std::int64_t{5}, std::int64_t{400}}) {
    CAPTURE(count);
    const Matrix rows = normal_matrix(count, kColumns, 12);
    const Matrix attended = normal_matrix(count, kColumns, 13);
    const Matrix gradient = normal_matrix(count, kProjected, 14);
    std::vector<std::vector<AlignedVector<float>>> results;
    for (const int threads : {1, 2, 3}) {
      Workers workers(threads);
      ComparedProjection projection("projection", kColumns, kProjected, 0.0F, 0);
      ReferenceValues values = randomize(projection.parameters(), 15);
      DoubleNumbers a = widened(rows);
      DoubleNumbers found = widened(attended);
      const auto reference = [&] {
        DoubleNumbers projected;
        const ReferenceRows compared = reference_comparison(
            rows_of(a, kColumns, 0, count), rows_of(found, kColumns, 0, count), true);
        for (const ReferenceRow& row :
             reference_linear(compared, values.at("projection/W"), values.at("projection/b"))) {
          append(projected, reference_relu(row));
        }
        return projected;
      };
      Matrix projected;
      projection.forward(rows, attended, {}, workers, projected);
      check_outputs(projected.values, reference());
      Matrix row_gradient;
      Matrix attended_gradient;
      Matrix overwritten = gradient;
      projection.backward(overwritten, {}, workers, row_gradient, attended_gradient);
      results.push_back({projected.values, row_gradient.values, attended_gradient.values,
                         projection.parameters()[0]->gradient,
                         projection.parameters()[1]->gradient});
      CHECK(results.back() == results.front());
      if (count > 5 || threads > 1) continue;
      const auto loss = [&] { return weighted(reference(), gradient); };
      check_gradient(row_gradient.values, a, loss);
      check_gradient(attended_gradient.values, found, loss);
      check_gradients(projection.parameters(), values, loss);
    }
  }
}

}  // namespace
}  // namespace elmo
