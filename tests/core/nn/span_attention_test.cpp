#include "core/nn/span_attention.h"

#include <doctest/doctest.h>

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

}  // namespace
}  // namespace elmo
