// Rows of a text joined with their attention to a question or to the text itself: BiDAF with
// self-attention (Seo et al. 2017; Clark and Gardner 2017, section 3.1).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/matrix.h"
#include "core/nn/layer.h"
#include "core/workers.h"

namespace elmo {

/// Row c of a sequence attends to the rows q_j of another one with scores s_j = w1·c + w2·q_j +
/// w3·(c ⊙ q_j) (Seo et al. 2017, equation 1). The result is Σ_j p_j q_j with p = softmax(s), and
/// the largest s_j.
///
/// Sequences are computed in parallel. backward recomputes the weights, a block of rows at a time,
/// so memory grows linearly with the length of a text. Results do not depend on the number of
/// workers. Not for two threads at once.
class TrilinearAttention {
 public:
  struct Options {
    std::int64_t columns = 0;  ///< D, of c and of q
    bool maxima = false;       ///< also compute max_j s_j; w1 affects nothing else
    bool others_only = false;  ///< rows attend to the other rows of their own sequence, not to
                               ///< themselves
  };

  /// Parameters NAME/w1 (only with maxima), NAME/w2 and NAME/w3, each [D, 1], all zero.
  TrilinearAttention(const std::string& name, const Options& options);

  std::vector<Parameter*> parameters();

  /// Sets Glorot weights.
  void initialize(std::uint64_t seed);

  /// Replaces `attended` [rows, D]. Sequence b of `rows` [rows, D] attends to sequence others[b] of
  /// `keys` [keys, D]; sequences that attend to the same one must be adjacent. A row with nothing
  /// to attend to gets zeros. None of the inputs may change until backward.
  void forward(const Matrix& rows, const Sequences& sequences, const Matrix& keys,
               const Sequences& key_sequences, std::span<const std::int64_t> others,
               Workers& workers, Matrix& attended);

  /// max_j s_j of each row [rows] in the last forward.
  std::span<const float> maxima() const { return maxima_; }

  /// Adds to the gradients with respect to rows and keys, which may be the same matrix if the rows
  /// are the keys. `maxima_gradient` is [rows] with maxima, else empty.
  void backward(const Matrix& attended_gradient, std::span<const float> maxima_gradient,
                Workers& workers, Matrix& row_gradient, Matrix& key_gradient);

 private:
  // Some rows of one sequence, with all rows that they attend to.
  struct Block {
    std::int64_t sequence = 0;
    std::int64_t row = 0;
    std::int64_t rows = 0;
    std::int64_t key = 0;
    std::int64_t keys = 0;
    std::int64_t own = 0;  // index of the first row among the keys
  };

  // The memory of one worker, for its current block.
  struct Workspace {
    AlignedVector<float> weights;           // [rows, keys], initially s
    AlignedVector<float> scores;            // [rows, keys], gradients of the weights, then of s
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
  std::vector<std::int64_t> groups_;  // first sequence of each group that attends to the same one
  Matrix weighed_;                    // [rows, D], w3 ⊙ c + w2; s_j is its product with q_j, plus
                                      // w1·c
  Matrix sums_;                       // [sequences, 3 · D], each sequence's part of the weights'
                                      // gradients
  std::vector<Workspace> workspaces_;
  std::vector<float> maxima_;
  std::vector<std::int64_t> largest_;  // [rows], index of the largest s_j among the keys of the
                                       // sequence
};

/// Attention from a context to its question and back. A row c becomes [c; a; c ⊙ a; c ⊙ h]. a is
/// the question as attended by c. h = Σ_i b_i c_i over the context with b = softmax_i(max_j s_ij):
/// the context rows most similar to any word of the question. Not for two threads at once.
class BidirectionalAttention {
 public:
  /// `columns`: D. Parameters as TrilinearAttention's.
  BidirectionalAttention(const std::string& name, std::int64_t columns)
      : columns_(columns), attention_(name, {.columns = columns, .maxima = true}) {}

  std::int64_t outputs() const { return 4 * columns_; }
  std::vector<Parameter*> parameters() { return attention_.parameters(); }
  void initialize(std::uint64_t seed) { attention_.initialize(seed); }

  /// Replaces `to` [rows, 4D]. Context b attends to question question_of[b]; contexts that share a
  /// question must be adjacent. None of the inputs may change until backward.
  void forward(const Matrix& contexts, const Sequences& context_sequences, const Matrix& questions,
               const Sequences& question_sequences, std::span<const std::int64_t> question_of,
               Workers& workers, Matrix& to);

  /// `gradient`: as `to` in forward. Replaces both `context_gradient` and `question_gradient`.
  void backward(const Matrix& gradient, Workers& workers, Matrix& context_gradient,
                Matrix& question_gradient);

 private:
  std::int64_t columns_;
  TrilinearAttention attention_;
  const Matrix* contexts_ = nullptr;
  const Matrix* questions_ = nullptr;
  const Sequences* sequences_ = nullptr;
  Matrix attended_;            // [rows, D], a
  Matrix summaries_;           // [contexts, D], h
  std::vector<float> shares_;  // [rows], b
  Matrix attended_gradient_;
  std::vector<float> maxima_gradient_;
};

/// Attention of a text to itself: a row x becomes [x; a; x ⊙ a], where a is the other rows as
/// attended by x. Not for two threads at once.
class SelfAttention {
 public:
  /// `columns`: D. Parameters as TrilinearAttention's.
  SelfAttention(const std::string& name, std::int64_t columns)
      : columns_(columns), attention_(name, {.columns = columns, .others_only = true}) {}

  std::int64_t outputs() const { return 3 * columns_; }
  std::vector<Parameter*> parameters() { return attention_.parameters(); }
  void initialize(std::uint64_t seed) { attention_.initialize(seed); }

  /// Replaces `to` [rows, 3D]. `rows` and `sequences` must not change until backward.
  void forward(const Matrix& rows, const Sequences& sequences, Workers& workers, Matrix& to);

  /// `gradient`: as `to` in forward. Replaces `row_gradient`.
  void backward(const Matrix& gradient, Workers& workers, Matrix& row_gradient);

 private:
  std::int64_t columns_;
  TrilinearAttention attention_;
  const Matrix* rows_ = nullptr;
  const Sequences* sequences_ = nullptr;
  Matrix attended_;  // [rows, D], a
  Matrix attended_gradient_;
};

}  // namespace elmo
