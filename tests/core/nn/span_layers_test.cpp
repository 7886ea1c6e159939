// Layers of spans against plain references.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "core/nn/affine.h"
#include "core/nn/feed_forward.h"
#include "core/nn/span_attention.h"
#include "tests/core/nn/parameters.h"
#include "tests/reference/task_layers.h"

namespace elmo {
namespace {

TEST_CASE("a product in pieces is the product, whatever the workers") {
  constexpr std::int64_t kNetInner = 7;
  constexpr std::int64_t kNetColumns = 5;
  for (const std::int64_t rows : {std::int64_t{1}, std::int64_t{47}, std::int64_t{500}}) {
    CAPTURE(rows);
    const Matrix a = normal_matrix(rows, kNetInner, 1);
    const Matrix turned = normal_matrix(kNetInner, rows, 2);
    const Matrix b = normal_matrix(kNetInner, kNetColumns, 3);
    for (const bool transposed : {false, true}) {
      const MatrixView left{(transposed ? turned : a).values.data(), transposed ? rows : kNetInner,
                            transposed};
      std::vector<Matrix> results;
      for (const int count : {1, 2, 3}) {
        Workers workers(count);
        Matrix c = normal_matrix(rows, kNetColumns + 1, 4);
        multiply(left, {b.values.data(), kNetColumns}, rows, kNetColumns, kNetInner,
                 c.values.data(), kNetColumns + 1, Result::added, workers);
        results.push_back(c);
      }
      DoubleNumbers expected = widened(normal_matrix(rows, kNetColumns + 1, 4));
      for (std::int64_t r = 0; r < rows; ++r) {
        for (std::int64_t c = 0; c < kNetColumns; ++c) {
          for (std::int64_t k = 0; k < kNetInner; ++k) {
            const float of_left = transposed ? turned.row(k)[r] : a.row(r)[k];
            expected[static_cast<std::size_t>(r * (kNetColumns + 1) + c)] +=
                double{of_left} * double{b.row(k)[c]};
          }
        }
      }
      check_outputs(results[0].values, expected);
      CHECK(results[1].values == results[0].values);
      CHECK(results[2].values == results[0].values);
    }
  }
}

// w · relu(relu(z) W + b) + c
double score_reference(const ReferenceValues& values, const ReferenceRow& sums) {
  const ReferenceRow hidden = reference_relu(reference_linear(
      {reference_relu(sums)}, values.at("net/hidden/W"), values.at("net/hidden/b"))[0]);
  double score = values.at("net/score/b")[0];
  for (std::size_t c = 0; c < hidden.size(); ++c) score += values.at("net/score/W")[c] * hidden[c];
  return score;
}

TEST_CASE("a product of nothing is nothing") {
  AlignedVector<float> c(6, 1.0F);
  multiply({nullptr, 3}, {nullptr, 2}, 0, 2, 3, nullptr, 2, Result::replaced);
  multiply({nullptr, 3}, {nullptr, 0}, 2, 0, 3, nullptr, 0, Result::replaced);
  multiply({nullptr, 0}, {nullptr, 2}, 2, 2, 0, c.data(), 3, Result::added);
  CHECK(c == AlignedVector<float>(6, 1.0F));
  multiply({nullptr, 0}, {nullptr, 2}, 2, 2, 0, c.data(), 3, Result::replaced);
  CHECK(c == AlignedVector<float>{0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 1.0F});
}

TEST_CASE("a score network and its gradient") {
  constexpr std::int64_t kNetColumns = 4;
  ScoreNetwork network("net", kNetColumns, 0.5F, 16);
  ReferenceValues values = randomize(network.parameters(), 1);
  Workers workers(2);
  const Matrix input = normal_matrix(6, kNetColumns, 7);
  DoubleNumbers sums = widened(input);
  Matrix kept = input;
  AlignedVector<float> scores;
  network.forward(kept, {}, workers, scores);
  const auto reference = [&] {
    DoubleNumbers all;
    for (const ReferenceRow& row : rows_of(sums, kNetColumns, 0, input.rows)) {
      all.push_back(score_reference(values, row));
    }
    return all;
  };
  check_outputs(scores, reference());

  Matrix again = input;
  AlignedVector<float> room;
  AlignedVector<float> alone(6);
  network.score(again.values.data(), 6, room, alone.data());
  CHECK(alone == scores);

  const Matrix gradient = normal_matrix(6, 1, 8);
  Matrix sum_gradient;
  network.backward(gradient.values, {}, workers, sum_gradient);
  const auto loss = [&] { return weighted(reference(), gradient); };
  check_gradient(sum_gradient.values, sums, loss);
  check_gradients(network.parameters(), values, loss);
}

TEST_CASE("attention to the rows of spans, and its gradient") {
  constexpr std::int64_t kNetRows = 6;
  constexpr std::int64_t kNetColumns = 3;
  constexpr std::int64_t kNetFirst = 2;  // of the columns that sums stand in
  const std::vector<RowSpan> spans = {{0, 1}, {0, 3}, {2, 6}, {5, 6}};
  const Matrix rows = normal_matrix(kNetRows, kNetColumns, 1);
  const Matrix scores = normal_matrix(kNetRows, 1, 2);
  DoubleNumbers row_values = widened(rows);
  DoubleNumbers score_values = widened(scores);
  const auto reference = [&] {
    DoubleNumbers sums;
    for (const RowSpan& span : spans) {
      const ReferenceRow shares =
          reference_softmax({score_values.begin() + span.begin, score_values.begin() + span.end});
      ReferenceRow sum(kNetFirst + kNetColumns, 0.0);
      for (std::int64_t t = 0; t < span.size(); ++t) {
        for (std::int64_t c = 0; c < kNetColumns; ++c) {
          sum[static_cast<std::size_t>(kNetFirst + c)] +=
              shares[static_cast<std::size_t>(t)] *
              row_values[static_cast<std::size_t>((span.begin + t) * kNetColumns + c)];
        }
      }
      append(sums, sum);
    }
    return sums;
  };
  SpanAttention attention;
  attention.forward(scores.values, spans);
  Matrix sums(static_cast<std::int64_t>(spans.size()), kNetFirst + kNetColumns);
  attention.add_sums(rows, sums, kNetFirst);
  check_outputs(sums.values, reference());

  const Matrix gradient = normal_matrix(sums.rows, sums.columns, 3);
  Matrix row_gradient(kNetRows, kNetColumns);
  attention.backward_sums(rows, gradient, kNetFirst, row_gradient);
  AlignedVector<float> score_gradient(kNetRows, 0.0F);
  attention.backward(score_gradient);
  const auto loss = [&] { return weighted(reference(), gradient); };
  check_gradient(row_gradient.values, row_values, loss);
  check_gradient(score_gradient, score_values, loss);
}

}  // namespace
}  // namespace elmo
