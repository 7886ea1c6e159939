// Attention to the rows of spans, and the choice of spans.
#include "core/tasks/coref/mentions.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tests/core/nn/parameters.h"
#include "tests/reference/task_layers.h"

namespace elmo {
namespace {

TEST_CASE("attention to the rows of spans, and its gradient") {
  constexpr std::int64_t kNetRows = 6;
  constexpr std::int64_t kNetColumns = 3;
  constexpr std::int64_t kNetFirst = 2;  // first column of the sums
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

Sequences two_sequences() {
  Sequences sequences;
  sequences.add(3);
  sequences.add(2);
  return sequences;
}

TEST_CASE("spans are all those within a sequence, up to a length") {
  CHECK(spans_within(two_sequences(), 2) ==
        std::vector<RowSpan>{{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}, {3, 4}, {3, 5}, {4, 5}});
  CHECK(spans_within(two_sequences(), 10).size() == 6 + 3);
}

TEST_CASE("of crossing spans the better one is kept, and nested spans are kept") {
  const std::vector<RowSpan> spans = spans_within(two_sequences(), 10);
  // {0,1} {0,2} {0,3} {1,2} {1,3} {2,3} {3,4} {3,5} {4,5}
  const std::vector<float> scores = {0, 5, 3, 1, 4, 2, 0, -1, 7};
  CHECK(best_spans(spans, scores, 3) == std::vector<std::size_t>{1, 2, 8});  // not {1,3}
  CHECK(best_spans(spans, scores, 100).size() == 8);
  CHECK(best_spans(spans, scores, 0).empty());
}

bool do_cross(const RowSpan& a, const RowSpan& b) {
  return (a.begin < b.begin && b.begin < a.end && a.end < b.end) ||
         (b.begin < a.begin && a.begin < b.end && b.end < a.end);
}

TEST_CASE("the kept spans equal those of a plain search") {
  std::mt19937 generator(5);
  for (int round = 0; round < 50; ++round) {
    CAPTURE(round);
    Sequences sequences;
    for (int n = 0; n < 4; ++n) {
      sequences.add(std::uniform_int_distribution<std::int64_t>(1, 15)(generator));
    }
    const std::vector<RowSpan> spans = spans_within(sequences, 6);
    std::vector<float> scores;
    for (std::size_t n = 0; n < spans.size(); ++n) {
      scores.push_back(static_cast<float>(std::uniform_int_distribution<int>(0, 40)(generator)));
    }
    std::vector<std::size_t> expected;
    std::vector<bool> seen(spans.size(), false);
    for (std::size_t turn = 0; turn < spans.size() && expected.size() < 12; ++turn) {
      std::size_t best = spans.size();
      for (std::size_t n = 0; n < spans.size(); ++n) {
        if (!seen[n] && (best == spans.size() || scores[n] > scores[best])) best = n;
      }
      seen[best] = true;
      if (std::ranges::none_of(
              expected, [&](std::size_t other) { return do_cross(spans[best], spans[other]); })) {
        expected.push_back(best);
      }
    }
    std::ranges::sort(expected);
    CHECK(best_spans(spans, scores, 12) == expected);
  }
}

}  // namespace
}  // namespace elmo
