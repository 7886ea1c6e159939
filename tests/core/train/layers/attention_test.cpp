#include "core/train/layers/attention.h"

#include <doctest/doctest.h>

#include <limits>

#include "core/train/layers/comparison.h"
#include "tests/core/train/layers/packed.h"

namespace elmo {
namespace {

constexpr std::int64_t kColumns = 5;

DoubleNumbers attended_reference(const DoubleNumbers& queries, const Sequences& query_sequences,
                                 const DoubleNumbers& keys, const Sequences& key_sequences) {
  DoubleNumbers attended;
  for (std::int64_t b = 0; b < query_sequences.count(); ++b) {
    append(attended, reference_attention(rows_of(queries, kColumns, query_sequences, b),
                                         rows_of(keys, kColumns, key_sequences, b)));
  }
  return attended;
}

TEST_CASE("attention of texts to other texts") {
  const Sequences query_sequences = sequences_of({3, 1, 6, 2});
  const Sequences key_sequences = sequences_of({2, 5, 1, 17});
  const Matrix queries = normal_matrix(query_sequences.rows(), kColumns, 1);
  const Matrix keys = normal_matrix(key_sequences.rows(), kColumns, 2);
  Attention attention;
  Matrix attended;
  attention.forward(queries, query_sequences, keys, key_sequences, attended);
  DoubleNumbers q = widened(queries);
  DoubleNumbers k = widened(keys);
  check_outputs(attended.values, attended_reference(q, query_sequences, k, key_sequences));

  const Matrix gradient = normal_matrix(attended.rows, kColumns, 3);
  const auto loss = [&] {
    return weighted(attended_reference(q, query_sequences, k, key_sequences), gradient);
  };
  Matrix query_gradient(queries.rows, kColumns);
  Matrix key_gradient(keys.rows, kColumns);
  attention.backward(gradient, query_gradient, key_gradient);
  check_gradient(query_gradient.values, q, loss);
  check_gradient(key_gradient.values, k, loss);

  SUBCASE("gradients are added to what is there") {
    const Matrix before = query_gradient;
    attention.backward(gradient, query_gradient, key_gradient);
    for (std::size_t i = 0; i < before.values.size(); ++i) {
      CHECK(query_gradient.values[i] == doctest::Approx(2 * before.values[i]).epsilon(1e-5));
    }
  }
}

TEST_CASE("attention of texts to themselves") {
  const Sequences sequences = sequences_of({1, 4, 7});
  const Matrix rows = normal_matrix(sequences.rows(), kColumns, 4);
  Attention attention;
  Matrix attended;
  attention.forward(rows, sequences, rows, sequences, attended);
  DoubleNumbers values = widened(rows);
  check_outputs(attended.values, attended_reference(values, sequences, values, sequences));

  const Matrix gradient = normal_matrix(rows.rows, kColumns, 5);
  Matrix row_gradient(rows.rows, kColumns);
  attention.backward(gradient, row_gradient, row_gradient);
  check_gradient(row_gradient.values, values, [&] {
    return weighted(attended_reference(values, sequences, values, sequences), gradient);
  });
}

TEST_CASE("attention of long texts, some rows at a time, is that of the whole") {
  const Sequences sequences = sequences_of({600, 3});
  const Matrix rows = normal_matrix(sequences.rows(), kColumns, 6, 0.5F);
  Attention attention;
  Matrix attended;
  attention.forward(rows, sequences, rows, sequences, attended);
  DoubleNumbers values = widened(rows);
  check_outputs(attended.values, attended_reference(values, sequences, values, sequences));
  // The gradient with respect to queries alone, which no other row has a part in.
  const Matrix gradient = normal_matrix(rows.rows, kColumns, 7);
  Matrix query_gradient(rows.rows, kColumns);
  Matrix key_gradient(rows.rows, kColumns);
  attention.backward(gradient, query_gradient, key_gradient);
  for (const std::int64_t row : {0, 255, 256, 599, 602}) {
    CAPTURE(row);
    const std::int64_t b = row < 600 ? 0 : 1;
    const ReferenceRows keys = rows_of(values, kColumns, sequences, b);
    DoubleNumbers query = rows_of(values, kColumns, row, row + 1)[0];
    const float* part = query_gradient.row(row);
    Matrix of_row(1, kColumns);
    std::copy_n(gradient.row(row), kColumns, of_row.values.begin());
    check_gradient({part, part + kColumns}, query,
                   [&] { return weighted(reference_attention({query}, keys)[0], of_row); });
  }
}

TEST_CASE("attention keeps to one sequence, and what is not a number is seen there") {
  const Sequences sequences = sequences_of({2, 3});
  Matrix rows = normal_matrix(5, kColumns, 8);
  rows.row(1)[2] = std::numeric_limits<float>::quiet_NaN();
  Attention attention;
  Matrix attended;
  attention.forward(rows, sequences, rows, sequences, attended);
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
