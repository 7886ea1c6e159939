// Attention by the trilinear similarity of BiDAF.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/nn/layer.h"
#include "core/parallel/workers.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// Row c of a sequence attends to the rows q_j of another one by s_j = w1·c + w2·q_j + w3·(c ⊙ q_j)
/// (Seo et al. 2017, equation 1): it finds Σ_j p_j q_j with p = softmax(s), and its largest s_j.
///
/// Sequences are computed side by side. The weights are computed again for the gradient, some rows
/// at a time, so that memory grows with the length of a text and not with its square. Results do
/// not depend on the number of workers. Not for two threads at once.
class TrilinearAttention {
 public:
  struct Options {
    std::int64_t columns = 0;  ///< D, of c and of q
    bool maxima = false;       ///< of s are asked for; w1 takes part in nothing else
    bool others_only = false;  ///< rows attend to their own sequence, and not to themselves
  };

  /// Parameters NAME/w1 (of maxima only), NAME/w2 and NAME/w3, [D, 1] each, zero.
  TrilinearAttention(const std::string& name, const Options& options);

  std::vector<Parameter*> parameters();

  /// Glorot's weights.
  void initialize(std::uint64_t seed);

  /// Replaces `attended` [rows, D]. Sequence b of `rows` [rows, D] attends to sequence others[b] of
  /// `keys` [keys, D]; those that attend to the same one stand next to each other. A row without
  /// others finds zero. All of these have to stay as they are until backward.
  void forward(const Matrix& rows, const Sequences& sequences, const Matrix& keys,
               const Sequences& key_sequences, std::span<const std::int64_t> others,
               Workers& workers, Matrix& attended);

  /// [rows], max_j s_j, of the last forward.
  std::span<const float> maxima() const { return maxima_; }

  /// Adds to the gradients with respect to rows and keys, which may be one matrix where the rows
  /// are the keys. `maxima_gradient` [rows] where maxima are asked for, else empty.
  void backward(const Matrix& attended_gradient, std::span<const float> maxima_gradient,
                Workers& workers, Matrix& row_gradient, Matrix& key_gradient);

 private:
  // Rows of one sequence, with all of those that they attend to.
  struct Block {
    std::int64_t sequence = 0;
    std::int64_t row = 0;
    std::int64_t rows = 0;
    std::int64_t key = 0;
    std::int64_t keys = 0;
    std::int64_t own = 0;  // which of the keys the first row itself is
  };

  // What one worker needs for the block at hand.
  struct Workspace {
    AlignedVector<float> weights;           // [rows, keys], at first s
    AlignedVector<float> scores;            // [rows, keys], gradients of weights, then of s
    AlignedVector<float> weighed_gradient;  // [rows, D]
  };

  template <typename Work>
  void for_each_block(Workers& workers, Work work);
  template <typename Work>
  void for_each_block_of(std::int64_t sequence, Work work) const;
  void compute_scores(const Block& block, float* scores) const;

  Options options_;
  Parameter query_;    // w1
  Parameter key_;      // w2
  Parameter product_;  // w3

  const Matrix* rows_ = nullptr;
  const Matrix* keys_ = nullptr;
  const Sequences* sequences_ = nullptr;
  const Sequences* key_sequences_ = nullptr;
  std::vector<std::int64_t> others_;
  std::vector<std::int64_t> groups_;  // where sequences begin that attend to the same one
  Matrix weighed_;                    // [rows, D], w3 ⊙ c + w2, so that s_j = it · q_j + w1·c
  Matrix sums_;                       // [sequences, 3 · D], its part of the weights' gradients
  std::vector<Workspace> workspaces_;
  std::vector<float> maxima_;
  std::vector<std::int64_t> largest_;  // [rows], which of the keys of its sequence
};

}  // namespace elmo
