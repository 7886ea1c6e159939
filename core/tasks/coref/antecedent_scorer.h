// Choice and scores of the earlier spans that a span may refer back to, and their loss.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/kernels/row_kernels.h"
#include "core/matrix.h"
#include "core/nn/feed_forward.h"
#include "core/nn/layer.h"
#include "core/workers.h"

namespace elmo {

/// The kept spans of one document, in order.
struct KeptSpans {
  Matrix rows;                         ///< [M, G] span vectors g
  AlignedVector<float> scores;         ///< [M] s_m
  std::vector<std::int32_t> speakers;  ///< [M] speaker numbers; −1: unknown
};

/// Candidate antecedents of some spans.
struct AntecedentPairs {
  std::vector<std::size_t> begins = {0};  ///< [spans + 1] offsets into the following vectors
  std::vector<std::int32_t> antecedents;  ///< indices of kept spans, ascending for each span
  AlignedVector<float> scores;            ///< s(i, j)
};

/// s(i, j) = s_m(i) + s_m(j) + s_c(i, j) + s_a(i, j). s_c = g_i·W_c·g_j / G is cheap (Lee et al.
/// 2018, equation 8, with the added factor 1 / G): the earlier spans with the highest s_m(j) +
/// s_c(i, j) become antecedents of i. s_a is a feed-forward network over [g_i; g_j; g_i ∘ g_j;
/// features] (Lee et al. 2017, equation 3). The features are the distance from j to i in kept
/// spans, the genre, and whether both have the same speaker. Not for two threads at once.
class AntecedentScorer {
 public:
  /// Maximum distance from a span back to its antecedent, in kept spans. This many must be in
  /// memory.
  static constexpr std::int64_t kWindow = 2048;
  /// Maximum number of antecedents of a span.
  static constexpr std::int64_t kMaxAntecedents = 50;

  struct Options {
    std::int64_t columns = 0;  ///< G
    std::int64_t hidden = 0;   ///< hidden size of the network
    std::int64_t genres = 0;
    float dropout = 0.0F;
    std::uint32_t mask_id = 0;  ///< id of the dropout mask; the next one is used, too
  };

  explicit AntecedentScorer(const Options& options);

  std::vector<Parameter*> parameters();
  void initialize(std::uint64_t seed);

  /// Replaces `pairs` by the pairs of the kept spans from `first` to `end` (exclusive). A `genre`
  /// that is not a valid index means unknown. `kept` must stay unchanged until backward.
  void forward(const KeptSpans& kept, std::int64_t first, std::int64_t end, std::int32_t genre,
               const PassOptions& options, Workers& workers, AntecedentPairs& pairs);

  /// `gradient` [pairs]: with respect to the scores of forward() over all kept spans. The pairs
  /// must be unchanged. Adds to the gradients with respect to the vectors [M, G] and to s_m [M].
  void backward(const AntecedentPairs& pairs, const AlignedVector<float>& gradient,
                const PassOptions& options, Workers& workers, Matrix& row_gradient,
                AlignedVector<float>& score_gradient);

 private:
  struct Features {
    std::int64_t distance;  // rows of distances_ and speakers_
    std::int64_t speaker;
  };
  // Partial sums of a share of the spans, computed by one worker.
  struct Share {
    Matrix rows;                           // [M, G]
    Matrix earlier;                        // [M, hidden]
    AlignedVector<float> product_weights;  // [G, hidden]
    AlignedVector<float> distances;        // in the shape of the parameter
    AlignedVector<float> speakers;
    Matrix products;          // [pairs of some spans, G]
    Matrix product_gradient;  // [pairs of some spans, G]
  };

  void scale(Matrix& coarse) const;
  Features features_of(std::int64_t span, std::int64_t antecedent) const;
  // Chooses antecedents; sets the scores of the pairs to s_m(j) + s_c(i, j).
  void choose(std::int64_t first, std::int64_t end, Workers& workers, AntecedentPairs& pairs);
  RowPairs rows_of(const AntecedentPairs& pairs, std::size_t n) const;
  template <typename Work>
  void for_each_block(std::size_t spans, Workers& workers, Work work);
  void make_products(const AntecedentPairs& pairs, std::size_t begin, std::size_t end,
                     Matrix& products) const;
  void add_pairs(const AntecedentPairs& pairs, const AlignedVector<float>& gradient,
                 std::size_t begin, std::size_t end, Share& share);

  std::int64_t columns_;
  std::int64_t genre_count_;
  Parameter coarse_;           // [G, G]
  Parameter span_weights_;     // [G, hidden] of g_i
  Parameter earlier_weights_;  // [G, hidden] of g_j
  Parameter product_weights_;  // [G, hidden] of g_i ∘ g_j
  Parameter distances_;        // [buckets, hidden]
  Parameter genres_;           // [genres + 1, hidden]; the last row is for unknown genres
  Parameter speakers_;         // [3, hidden]: unknown, different, same
  ScoreNetwork network_;

  const KeptSpans* kept_ = nullptr;
  std::int64_t first_ = 0;
  std::int64_t genre_ = 0;
  Matrix coarse_rows_;   // [spans, G] g_i·W_c
  Matrix span_sums_;     // [spans, hidden]
  Matrix earlier_sums_;  // [M, hidden]
  Matrix sums_;          // [pairs, hidden]
  Matrix sum_gradient_;
  Matrix coarse_gradient_;       // [spans, G]
  Matrix span_gradient_;         // [spans, hidden]
  AlignedVector<float> scores_;  // s_a
  std::vector<Share> shares_;
};

/// Returns Σ over spans of −log Σ P(j), summed over the antecedents j in the span's own cluster;
/// without such a j, −log P(no antecedent) (Lee et al. 2017, equation 9). P is the softmax over all
/// antecedents and over having none, which scores 0. `clusters` [spans]; −1: not a gold mention.
/// Replaces `gradient` [pairs] by the gradient with respect to the scores, times `scale`. Any
/// thread.
double antecedent_loss(const AntecedentPairs& pairs, std::span<const std::int32_t> clusters,
                       double scale, AlignedVector<float>& gradient);

/// Returns the antecedent of span `span` with the highest score if that is above 0, else −1. If
/// scores are equal, returns the nearest antecedent. Any thread.
std::int32_t best_antecedent(const AntecedentPairs& pairs, std::size_t span);

}  // namespace elmo
