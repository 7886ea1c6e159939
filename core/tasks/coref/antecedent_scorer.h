// Which earlier spans a span may refer back to, and how well each of them fits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/kernels/row_pairs.h"
#include "core/nn/layer.h"
#include "core/nn/score_network.h"
#include "core/parallel/workers.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// Spans of one document that were kept, in their order.
struct KeptSpans {
  Matrix rows;                         ///< [M, G] their vectors g
  AlignedVector<float> scores;         ///< [M] s_m
  std::vector<std::int32_t> speakers;  ///< [M] a number each; −1: unknown
};

/// The antecedents that some spans may have.
struct AntecedentPairs {
  std::vector<std::size_t> begins = {0};  ///< [spans + 1] of what follows
  std::vector<std::int32_t> antecedents;  ///< numbers of kept spans, ascending for each span
  AlignedVector<float> scores;            ///< s(i, j)
};

/// s(i, j) = s_m(i) + s_m(j) + s_c(i, j) + s_a(i, j). s_c = g_i·W_c·g_j / G is cheap (Lee et al.
/// 2018, equation 8, but for the G): by s_m(j) + s_c(i, j) the best of the spans before i become
/// its antecedents. s_a is a feed-forward network over [g_i; g_j; g_i ∘ g_j; features] (Lee et al.
/// 2017, equation 3), the features being how many kept spans i is behind j, the genre, and whether
/// both have the same speaker. Not for two threads at once.
class AntecedentScorer {
 public:
  /// An antecedent is at most so many kept spans before its span: so much has to be in memory.
  static constexpr std::int64_t kWindow = 2048;
  /// Antecedents of a span at most.
  static constexpr std::int64_t kMaxAntecedents = 50;

  struct Options {
    std::int64_t columns = 0;  ///< G
    std::int64_t hidden = 0;   ///< of the network
    std::int64_t genres = 0;
    float dropout = 0.0F;
    std::uint32_t place = 0;  ///< of its dropout; the next one is taken too
  };

  explicit AntecedentScorer(const Options& options);

  std::vector<Parameter*> parameters();
  void initialize(std::uint64_t seed);

  /// Replaces `pairs` by those of the kept spans from `first` to `end` (exclusive). `genre`: a
  /// number that is none of the genres is an unknown one. `kept` has to stay as it is until
  /// backward.
  void forward(const KeptSpans& kept, std::int64_t first, std::int64_t end, std::int32_t genre,
               const PassOptions& options, Workers& workers, AntecedentPairs& pairs);

  /// `gradient` [pairs]: with respect to the scores of what forward gave for all kept spans; the
  /// pairs have to be still the same. Adds to the gradients with respect to the vectors [M, G] and
  /// to s_m [M].
  void backward(const AntecedentPairs& pairs, const AlignedVector<float>& gradient,
                const PassOptions& options, Workers& workers, Matrix& row_gradient,
                AlignedVector<float>& score_gradient);

 private:
  struct Features {
    std::int64_t distance;  // rows of distances_ and speakers_
    std::int64_t speaker;
  };
  // What one of the workers adds up, of a part of the spans.
  struct Share {
    Matrix rows;                           // [M, G]
    Matrix earlier;                        // [M, hidden]
    AlignedVector<float> product_weights;  // [G, hidden]
    AlignedVector<float> distances;        // as the parameters
    AlignedVector<float> speakers;
    Matrix products;          // [pairs of some spans, G]
    Matrix product_gradient;  // likewise
  };

  void scale(Matrix& coarse) const;
  Features features_of(std::int64_t span, std::int64_t antecedent) const;
  // Gives pairs the scores s_m(j) + s_c(i, j).
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
  Parameter genres_;           // [genres + 1, hidden], the last is the unknown one
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

}  // namespace elmo
