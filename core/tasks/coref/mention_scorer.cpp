#include "core/tasks/coref/mention_scorer.h"

#include <algorithm>

#include "core/kernels/optimizer_kernels.h"
#include "core/nn/row_products.h"

namespace elmo {
namespace {

// Number of spans that one worker scores at a time.
constexpr std::size_t kBlock = 512;

}  // namespace

MentionScorer::MentionScorer(const SpanVectors::Columns& columns, std::int64_t hidden,
                             float dropout, std::uint32_t place)
    : columns_(columns),
      first_("mention/first", columns.all, hidden),
      network_("mention", hidden, dropout, place) {}

std::vector<Parameter*> MentionScorer::parameters() { return parameters_of(first_, network_); }

void MentionScorer::initialize(std::uint64_t seed) {
  first_.initialize(seed);
  network_.initialize(seed);
}

void MentionScorer::score(const SpanVectors& vectors, std::span<const RowSpan> spans,
                          Workers& workers, std::vector<float>& scores) {
  const std::int64_t hidden = network_.columns();
  const AlignedVector<float>& weights = first_.parameters()[0]->values;
  const AlignedVector<float>& bias = first_.parameters()[1]->values;
  // Contribution of each row to the sums of spans that begin, end or have their head there.
  const auto part = [&](const float* rows, std::int64_t count, std::int64_t columns,
                        std::int64_t first_column) {
    Matrix sums(count, hidden);
    multiply({rows, columns}, {weights.data() + first_column * hidden, hidden}, count, hidden,
             columns, sums.values.data(), hidden, Result::replaced, workers);
    return sums;
  };
  const Matrix& outputs = vectors.outputs();
  const Matrix& inputs = vectors.inputs();
  const Parameter& widths = vectors.widths();
  const Matrix begins = part(outputs.values.data(), outputs.rows, outputs.columns, 0);
  const Matrix ends = part(outputs.values.data(), outputs.rows, outputs.columns, columns_.end);
  const Matrix heads = part(inputs.values.data(), inputs.rows, inputs.columns, columns_.head);
  const Matrix sizes = part(widths.values.data(), widths.shape[0], widths.shape[1], columns_.width);

  scores.resize(spans.size());
  workers.run((spans.size() + kBlock - 1) / kBlock, [&](std::size_t block) {
    const auto some =
        spans.subspan(block * kBlock, std::min(kBlock, spans.size() - block * kBlock));
    const auto count = static_cast<std::int64_t>(some.size());
    Matrix sums(count, hidden);
    for (std::int64_t n = 0; n < count; ++n) {
      const RowSpan& span = some[static_cast<std::size_t>(n)];
      float* row = sums.row(n);
      std::copy(bias.begin(), bias.end(), row);
      add(begins.row(span.begin), hidden, row);
      add(ends.row(span.end - 1), hidden, row);
      add(sizes.row(span.size() - 1), hidden, row);
    }
    SpanAttention attention;
    attention.forward(vectors.head_scores(), some);
    attention.add_sums(heads, sums, 0);
    AlignedVector<float> room;
    network_.score(sums.values.data(), count, room, scores.data() + block * kBlock);
  });
}

void MentionScorer::forward(const Matrix& rows, const PassOptions& options, Workers& workers,
                            AlignedVector<float>& scores) {
  first_.forward(rows, workers, sums_);
  network_.forward(sums_, options, workers, scores);
}

void MentionScorer::backward(const AlignedVector<float>& gradient, const PassOptions& options,
                             Workers& workers, Matrix& row_gradient) {
  network_.backward(gradient, options, workers, sum_gradient_);
  first_.backward(sum_gradient_, workers, row_gradient);
}

}  // namespace elmo
