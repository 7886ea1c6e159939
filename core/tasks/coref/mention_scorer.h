// Scores of spans as mentions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/nn/layer.h"
#include "core/nn/linear.h"
#include "core/nn/score_network.h"
#include "core/nn/span_attention.h"
#include "core/parallel/workers.h"
#include "core/tasks/coref/span_vectors.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// s_m(i), a feed-forward network over g_i (Lee et al. 2017, equation 3). Not for two threads at
/// once.
class MentionScorer {
 public:
  /// `place` and the next number are its dropout streams. `columns`: parts of a span's vector.
  MentionScorer(const SpanVectors::Columns& columns, std::int64_t hidden, float dropout,
                std::uint32_t place);

  std::vector<Parameter*> parameters();
  void initialize(std::uint64_t seed);

  /// Replaces `scores` by the scores of `spans`, spans of the rows that `vectors` read, without
  /// dropout. Does not build span vectors: the first layer is computed once for each part and
  /// shared by the spans. Memory besides the scores: a few numbers per row.
  void score(const SpanVectors& vectors, std::span<const RowSpan> spans, Workers& workers,
             std::vector<float>& scores);

  /// Replaces `scores` by the scores of spans with the vectors `rows` [spans, columns]. `rows` must
  /// stay unchanged until backward.
  void forward(const Matrix& rows, const PassOptions& options, Workers& workers,
               AlignedVector<float>& scores);

  /// Replaces `row_gradient` [spans, columns].
  void backward(const AlignedVector<float>& gradient, const PassOptions& options, Workers& workers,
                Matrix& row_gradient);

 private:
  SpanVectors::Columns columns_;
  Linear first_;
  ScoreNetwork network_;
  Matrix sums_;
  Matrix sum_gradient_;
};

}  // namespace elmo
