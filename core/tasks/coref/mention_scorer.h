// How much a span looks like a mention.
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
  /// `place` and the next one distinguish its dropout masks. `columns`: of a span's vector.
  MentionScorer(const SpanVectors::Columns& columns, std::int64_t hidden, float dropout,
                std::uint32_t place);

  std::vector<Parameter*> parameters();
  void initialize(std::uint64_t seed);

  /// Replaces `scores` by those of all these spans of what `vectors` has read, without dropout. No
  /// span's vector is made: the first layer's sums are sums of those of its parts, which spans
  /// share. Memory beside the scores: some numbers of each row.
  void score(const SpanVectors& vectors, std::span<const RowSpan> spans, Workers& workers,
             std::vector<float>& scores);

  /// Replaces `scores` by those of the spans that have the vectors `rows` [spans, columns], which
  /// have to stay as they are until backward.
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
