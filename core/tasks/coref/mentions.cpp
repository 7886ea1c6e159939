#include "core/tasks/coref/mentions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/kernels/optimizer_kernels.h"
#include "core/kernels/product.h"
#include "core/kernels/softmax.h"

namespace elmo {

void SpanAttention::forward(std::span<const float> scores, std::span<const RowSpan> spans) {
  spans_ = spans;
  firsts_.clear();
  std::int64_t size = 0;
  for (const RowSpan& span : spans) {
    firsts_.push_back(size);
    size += span.size();
  }
  shares_.resize(static_cast<std::size_t>(size));
  share_gradients_.assign(static_cast<std::size_t>(size), 0.0F);
  for (std::size_t n = 0; n < spans.size(); ++n) {
    float* shares = shares_.data() + firsts_[n];
    std::copy_n(scores.data() + spans[n].begin, spans[n].size(), shares);
    softmax_rows(shares, 1, spans[n].size(), spans[n].size());
  }
}

void SpanAttention::add_sums(const Matrix& rows, Matrix& to, std::int64_t column) const {
  for (std::size_t n = 0; n < spans_.size(); ++n) {
    const float* share = shares_.data() + firsts_[n];
    float* sum = to.row(static_cast<std::int64_t>(n)) + column;
    for (std::int64_t row = spans_[n].begin; row < spans_[n].end; ++row, ++share) {
      const float* from = rows.row(row);
      for (std::int64_t c = 0; c < rows.columns; ++c) sum[c] += *share * from[c];
    }
  }
}

void SpanAttention::backward_sums(const Matrix& rows, const Matrix& gradient, std::int64_t column,
                                  Matrix& row_gradient) {
  for (std::size_t n = 0; n < spans_.size(); ++n) {
    const float* of_sum = gradient.row(static_cast<std::int64_t>(n)) + column;
    for (std::int64_t t = 0; t < spans_[n].size(); ++t) {
      const float share = shares_[static_cast<std::size_t>(firsts_[n] + t)];
      const float* from = rows.row(spans_[n].begin + t);
      float* to = row_gradient.row(spans_[n].begin + t);
      float product = 0.0F;
      for (std::int64_t c = 0; c < rows.columns; ++c) {
        product += of_sum[c] * from[c];
        to[c] += share * of_sum[c];
      }
      share_gradients_[static_cast<std::size_t>(firsts_[n] + t)] += product;
    }
  }
}

void SpanAttention::backward(std::span<float> score_gradient) {
  for (std::size_t n = 0; n < spans_.size(); ++n) {
    const std::int64_t size = spans_[n].size();
    float* gradient = share_gradients_.data() + firsts_[n];
    softmax_rows_backward(shares_.data() + firsts_[n], 1, size, size, gradient);
    for (std::int64_t t = 0; t < size; ++t) {
      score_gradient[static_cast<std::size_t>(spans_[n].begin + t)] += gradient[t];
    }
  }
}

namespace {

constexpr std::int64_t kWidthColumns = 20;  // Lee et al. 2017, section 7.2

}  // namespace

SpanVectors::SpanVectors(const Options& options)
    : columns_{options.outputs, 2 * options.outputs, 2 * options.outputs + options.inputs,
               2 * options.outputs + options.inputs + kWidthColumns},
      dropout_(options.dropout),
      width_mask_id_(options.mask_id + 2),
      widths_("span/width", {options.longest, kWidthColumns}),
      head_first_("span/head/first", options.outputs, options.hidden),
      head_network_("span/head", options.hidden, options.dropout, options.mask_id) {}

void SpanVectors::initialize(std::uint64_t seed) {
  fill_uniform(widths_.values, std::sqrt(3.0F / kWidthColumns), parameter_key(widths_, seed));
  initialize_layers(seed, head_first_, head_network_);
}

void SpanVectors::read(const Matrix& outputs, const Matrix& inputs, const PassOptions& options,
                       Workers& workers) {
  outputs_ = &outputs;
  inputs_ = &inputs;
  head_first_.forward(outputs, workers, head_sums_);
  head_network_.forward(head_sums_, options, workers, head_scores_);
}

void SpanVectors::forward(std::span<const RowSpan> spans, const PassOptions& options, Matrix& to) {
  spans_ = spans;
  to.resize(static_cast<std::int64_t>(spans.size()), columns_.all);
  for (std::size_t n = 0; n < spans.size(); ++n) {
    float* row = to.row(static_cast<std::int64_t>(n));
    std::copy_n(outputs_->row(spans[n].begin), outputs_->columns, row);
    std::copy_n(outputs_->row(spans[n].end - 1), outputs_->columns, row + columns_.end);
    std::copy_n(widths_.values.data() + (spans[n].size() - 1) * kWidthColumns, kWidthColumns,
                row + columns_.width);
  }
  attention_.forward(head_scores_, spans);
  attention_.add_sums(*inputs_, to, columns_.head);
  drop_columns(options, dropout_, width_mask_id_, to, columns_.width, kWidthColumns);
}

void SpanVectors::backward(Matrix& gradient, const PassOptions& options, Workers& workers,
                           Matrix& output_gradient, Matrix& input_gradient) {
  drop_columns(options, dropout_, width_mask_id_, gradient, columns_.width, kWidthColumns);
  // attention_ comes first, because the network's backward pass replaces its argument.
  input_gradient.resize(inputs_->rows, inputs_->columns);
  attention_.backward_sums(*inputs_, gradient, columns_.head, input_gradient);
  head_gradient_.assign(head_scores_.size(), 0.0F);
  attention_.backward(head_gradient_);
  Matrix sum_gradient;
  head_network_.backward(head_gradient_, options, workers, sum_gradient);
  head_first_.backward(sum_gradient, workers, output_gradient);
  for (std::size_t n = 0; n < spans_.size(); ++n) {
    const float* row = gradient.row(static_cast<std::int64_t>(n));
    add(row, outputs_->columns, output_gradient.row(spans_[n].begin));
    add(row + columns_.end, outputs_->columns, output_gradient.row(spans_[n].end - 1));
    add(row + columns_.width, kWidthColumns,
        widths_.gradient.data() + (spans_[n].size() - 1) * kWidthColumns);
  }
}

namespace {

// Number of spans that one worker scores at a time.
constexpr std::int64_t kSpansAtOnce = 512;

}  // namespace

MentionScorer::MentionScorer(const SpanVectors::Columns& columns, std::int64_t hidden,
                             float dropout, std::uint32_t mask_id)
    : columns_(columns),
      first_("mention/first", columns.all, hidden),
      network_("mention", hidden, dropout, mask_id) {}

void MentionScorer::score(const SpanVectors& vectors, std::span<const RowSpan> spans,
                          Workers& workers, std::vector<float>& scores) {
  const std::int64_t hidden = network_.columns();
  const AlignedVector<float>& weights = first_.parameters()[0]->values;
  const AlignedVector<float>& bias = first_.parameters()[1]->values;
  // Contribution of each row to the sums of spans that begin, end or have their head there.
  const auto part = [&](const float* rows, std::int64_t count, std::int64_t columns,
                        std::int64_t first_column) {
    Matrix sums(count, hidden);
    multiply({rows, count, columns}, {weights.data() + first_column * hidden, columns, hidden},
             sums.view(), Beta::zero, workers);
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
  const auto all = static_cast<std::int64_t>(spans.size());
  for_blocks(all, kSpansAtOnce, workers, [&](std::int64_t first, std::int64_t end) {
    const std::int64_t count = end - first;
    const auto some =
        spans.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
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
    network_.score(sums.values.data(), count, room, scores.data() + first);
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

namespace {

/// Spans taken so far. Checking whether another span crosses any of them takes time proportional to
/// its length.
class TakenSpans {
 public:
  explicit TakenSpans(std::int64_t rows)
      : last_end_(static_cast<std::size_t>(rows), -1),
        first_begin_(static_cast<std::size_t>(rows) + 1, rows) {}

  bool crosses(const RowSpan& span) const {
    for (std::int64_t row = span.begin + 1; row < span.end; ++row) {
      const auto at = static_cast<std::size_t>(row);
      if (last_end_[at] > span.end || first_begin_[at] < span.begin) return true;
    }
    return false;
  }

  void add(const RowSpan& span) {
    std::int64_t& end = last_end_[static_cast<std::size_t>(span.begin)];
    end = std::max(end, span.end);
    std::int64_t& begin = first_begin_[static_cast<std::size_t>(span.end)];
    begin = std::min(begin, span.begin);
  }

 private:
  std::vector<std::int64_t> last_end_;     // largest end of the spans that begin at each row
  std::vector<std::int64_t> first_begin_;  // smallest begin of the spans that end at each row
};

}  // namespace

std::vector<RowSpan> spans_within(const Sequences& sequences, std::int64_t longest) {
  std::vector<RowSpan> spans;
  for (std::int64_t b = 0; b < sequences.count(); ++b) {
    const std::int64_t end = sequences.begin(b + 1);
    for (std::int64_t first = sequences.begin(b); first < end; ++first) {
      for (std::int64_t last = first; last < std::min(first + longest, end); ++last) {
        spans.push_back({first, last + 1});
      }
    }
  }
  return spans;
}

std::vector<std::size_t> best_spans(std::span<const RowSpan> spans, std::span<const float> scores,
                                    std::size_t count) {
  std::vector<std::size_t> order(spans.size());
  std::iota(order.begin(), order.end(), 0);
  // NaN is unordered and goes last.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return scores[a] > scores[b] || (scores[a] == scores[a] && scores[b] != scores[b]);
  });
  std::int64_t rows = 0;
  for (const RowSpan& span : spans) rows = std::max(rows, span.end);
  TakenSpans taken(rows);
  std::vector<std::size_t> best;
  for (const std::size_t n : order) {
    if (best.size() == count) break;
    if (taken.crosses(spans[n])) continue;
    taken.add(spans[n]);
    best.push_back(n);
  }
  std::sort(best.begin(), best.end());
  return best;
}

}  // namespace elmo
