// Candidate mentions: attention, vectors and scores of spans of a text, and the choice of the best
// ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/matrix.h"
#include "core/nn/affine.h"
#include "core/nn/feed_forward.h"
#include "core/nn/layer.h"
#include "core/workers.h"

namespace elmo {

/// Σ_t a_t r_t over the rows of each span, where a is the softmax of the rows' scores over the span
/// (Lee et al. 2017, equations 4 to 6). Spans may overlap. Not for two threads at once.
class SpanAttention {
 public:
  /// Computes the attention weights from `scores` [rows] and sets their gradients to zero. `scores`
  /// and `spans` must not change until backward.
  void forward(std::span<const float> scores, std::span<const RowSpan> spans);

  /// Adds the weighted sum of `rows` over span n to row n of `to` [spans, ..], from column `column`
  /// on.
  void add_sums(const Matrix& rows, Matrix& to, std::int64_t column) const;

  /// `gradient`: as `to` in add_sums. Adds to `row_gradient` and to the gradients of the attention
  /// weights. May be called several times.
  void backward_sums(const Matrix& rows, const Matrix& gradient, std::int64_t column,
                     Matrix& row_gradient);

  /// Adds to the gradient with respect to the scores [rows]. Call after backward_sums().
  void backward(std::span<float> score_gradient);

 private:
  std::span<const RowSpan> spans_;
  std::vector<std::int64_t> firsts_;      // [spans], index of each span's first element in the
                                          // arrays below
  AlignedVector<float> shares_;           // weights of each span's rows, one span after another
  AlignedVector<float> share_gradients_;  // gradients of shares_
};

/// g_i = [h_begin; h_end; Σ_t a_it x_t; φ(size)], where a feed-forward network over h gives the
/// attention a_i (Lee et al. 2017, section 4). Not for two threads at once.
class SpanVectors {
 public:
  struct Options {
    std::int64_t outputs = 0;  ///< columns of h
    std::int64_t inputs = 0;   ///< columns of x
    std::int64_t longest = 0;  ///< maximum number of rows of a span
    std::int64_t hidden = 0;   ///< hidden size of the network
    float dropout = 0.0F;
    std::uint32_t mask_id = 0;  ///< id of the network's dropout mask; the next two are used, too
  };

  /// First column of each part of a span's vector.
  struct Columns {
    std::int64_t end = 0;  ///< the begin part starts at 0
    std::int64_t head = 0;
    std::int64_t width = 0;
    std::int64_t all = 0;
  };

  explicit SpanVectors(const Options& options);

  const Columns& columns() const { return columns_; }
  std::vector<Parameter*> parameters() {
    return parameters_of(widths_, head_first_, head_network_);
  }
  void initialize(std::uint64_t seed);

  /// Computes the head scores of all rows. h [T, outputs] and x [T, inputs] must stay unchanged
  /// until backward.
  void read(const Matrix& outputs, const Matrix& inputs, const PassOptions& options,
            Workers& workers);

  /// The arguments of read().
  const Matrix& outputs() const { return *outputs_; }
  const Matrix& inputs() const { return *inputs_; }
  /// [T]
  const AlignedVector<float>& head_scores() const { return head_scores_; }
  /// [longest, ..]: φ of each size.
  const Parameter& widths() const { return widths_; }

  /// Replaces `to` [spans, columns().all]. `spans` must stay unchanged until backward.
  void forward(std::span<const RowSpan> spans, const PassOptions& options, Matrix& to);

  /// `gradient` has the shape of `to` in forward and is overwritten. Replaces the gradients with
  /// respect to h and x.
  void backward(Matrix& gradient, const PassOptions& options, Workers& workers,
                Matrix& output_gradient, Matrix& input_gradient);

 private:
  Columns columns_;
  float dropout_;
  std::uint32_t width_mask_id_;
  Parameter widths_;
  Affine head_first_;
  ScoreNetwork head_network_;
  SpanAttention attention_;

  const Matrix* outputs_ = nullptr;
  const Matrix* inputs_ = nullptr;
  std::span<const RowSpan> spans_;
  Matrix head_sums_;
  AlignedVector<float> head_scores_;
  AlignedVector<float> head_gradient_;
};

/// s_m(i), a feed-forward network over g_i (Lee et al. 2017, equation 3). Not for two threads at
/// once.
class MentionScorer {
 public:
  /// `mask_id` and the next number are the ids of its dropout masks. `columns`: parts of a span's
  /// vector.
  MentionScorer(const SpanVectors::Columns& columns, std::int64_t hidden, float dropout,
                std::uint32_t mask_id);

  std::vector<Parameter*> parameters() { return parameters_of(first_, network_); }
  void initialize(std::uint64_t seed) { initialize_layers(seed, first_, network_); }

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
  Affine first_;
  ScoreNetwork network_;
  Matrix sums_;
  Matrix sum_gradient_;
};

/// All spans of up to `longest` rows within one sequence, ordered by begin, then by end. Any
/// thread.
std::vector<RowSpan> spans_within(const Sequences& sequences, std::int64_t longest);

/// Returns the indices of the best `count` spans that do not cross, ascending: of two crossing
/// spans, the better is taken (Lee et al. 2017, section 5). Nested spans do not cross. If scores
/// are equal, the first span is better. `spans` must be ordered as by spans_within(). Any thread.
std::vector<std::size_t> best_spans(std::span<const RowSpan> spans, std::span<const float> scores,
                                    std::size_t count);

}  // namespace elmo
