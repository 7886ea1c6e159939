#include "core/nn/attention.h"

#include <doctest/doctest.h>

#include <limits>

#include "core/nn/comparison.h"
#include "tests/core/nn/packed.h"

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
       {Others{0, 1, 2, 3, 4}, Others{1, 0, 4, 3, 2}, Others{2, 2, 2, 0, 1}}) {
    CAPTURE(others[0]);
    Attention attention;
    Matrix attended;
    attention.forward(rows, sequences, others, attended);
    DoubleNumbers values = widened(rows);
    check_outputs(attended.values, attended_reference(values, sequences, others));

    const Matrix gradient = normal_matrix(rows.rows, kColumns, 3);
    Matrix row_gradient(rows.rows, kColumns);
    attention.backward(gradient, row_gradient);
    check_gradient(row_gradient.values, values, [&] {
      return weighted(attended_reference(values, sequences, others), gradient);
    });

    // Gradients are added to what is there.
    const Matrix before = row_gradient;
    attention.backward(gradient, row_gradient);
    for (std::size_t i = 0; i < before.values.size(); ++i) {
      CHECK(row_gradient.values[i] == doctest::Approx(2 * before.values[i]).epsilon(1e-5));
    }
  }
}

TEST_CASE("attention of long texts, some rows at a time, is that of the whole") {
  const Sequences sequences = sequences_of({600, 3});
  const Others others{0, 0};
  const Matrix rows = normal_matrix(sequences.rows(), kColumns, 6, 0.5F);
  Attention attention;
  Matrix attended;
  attention.forward(rows, sequences, others, attended);
  DoubleNumbers values = widened(rows);
  check_outputs(attended.values, attended_reference(values, sequences, others));
  // Of all rows, a few are looked at: differences of 600 rows take long.
  const Matrix gradient = normal_matrix(rows.rows, kColumns, 7);
  Matrix row_gradient(rows.rows, kColumns);
  attention.backward(gradient, row_gradient);
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

TEST_CASE("attention keeps to one sequence, and what is not a number is seen there") {
  const Sequences sequences = sequences_of({2, 3});
  Matrix rows = normal_matrix(5, kColumns, 8);
  rows.row(1)[2] = std::numeric_limits<float>::quiet_NaN();
  Attention attention;
  Matrix attended;
  attention.forward(rows, sequences, Others{0, 1}, attended);
  for (std::int64_t c = 0; c < kColumns; ++c) {
    CHECK(std::isnan(attended.row(0)[c]));
    CHECK(std::isfinite(attended.row(2)[c]));
  }
}

TEST_CASE("rows beside what was attended") {
  constexpr std::int64_t kRows = 4;
  const Matrix rows = normal_matrix(kRows, kColumns, 9);
  const Matrix attended = normal_matrix(kRows, kColumns, 10);
  for (const Comparison kind :
       {Comparison::difference_product, Comparison::attended_difference_product}) {
    const bool with_attended = kind == Comparison::attended_difference_product;
    CAPTURE(with_attended);
    DoubleNumbers a = widened(rows);
    DoubleNumbers found = widened(attended);
    const auto reference = [&] {
      DoubleNumbers compared;
      append(compared, reference_comparison(rows_of(a, kColumns, 0, kRows),
                                            rows_of(found, kColumns, 0, kRows), with_attended));
      return compared;
    };
    Matrix compared;
    compare(kind, rows, attended, compared);
    CHECK(compared.columns == comparison_width(kind) * kColumns);
    check_outputs(compared.values, reference());

    const Matrix gradient = normal_matrix(kRows, compared.columns, 11);
    Matrix row_gradient(kRows, kColumns);
    Matrix attended_gradient;
    compare_backward(kind, rows, attended, gradient, row_gradient, attended_gradient);
    const auto loss = [&] { return weighted(reference(), gradient); };
    check_gradient(row_gradient.values, a, loss);
    check_gradient(attended_gradient.values, found, loss);
  }
}

}  // namespace
}  // namespace elmo
