// What the rows of a sequence find in those of another, or in one another.
#pragma once

#include <cstdint>

#include "core/tensor/aligned.h"
#include "core/train/layers/layer.h"

namespace elmo {

/// Dot-product attention without parameters: row i of sequence b of `queries` becomes Σ_j p_ij k_j
/// over the rows k_j of sequence b of `keys`, with p_i = softmax_j(q_i · k_j). Of two texts it is
/// the soft alignment of ESIM (Chen et al. 2017, equations 11 to 13), of a text with itself the
/// biattention of McCann et al. 2017 (equations 6 to 9, where both texts are the same).
///
/// The weights are computed again for the gradient, some rows at a time, so that memory grows with
/// the length of a text and not with its square. Not for two threads at once.
class Attention {
 public:
  /// Replaces `attended` [rows of queries, D]. Queries and keys are [rows, D], of as many sequences
  /// each, and have to stay as they are until backward; they may be the same.
  void forward(const Matrix& queries, const Sequences& query_sequences, const Matrix& keys,
               const Sequences& key_sequences, Matrix& attended);

  /// Adds to the gradients with respect to queries and keys, which may be one matrix.
  void backward(const Matrix& attended_gradient, Matrix& query_gradient, Matrix& key_gradient);

 private:
  // Rows of one sequence's queries with all of its keys.
  struct Block {
    std::int64_t query = 0;
    std::int64_t rows = 0;
    std::int64_t key = 0;
    std::int64_t keys = 0;
  };

  template <typename Work>
  void for_each_block(Work work);
  void compute_weights(const Block& block);

  const Matrix* queries_ = nullptr;
  const Matrix* keys_ = nullptr;
  const Sequences* query_sequences_ = nullptr;
  const Sequences* key_sequences_ = nullptr;
  AlignedVector<float> weights_;          // [rows, keys] of a block
  AlignedVector<float> weight_gradient_;  // [rows, keys]
};

}  // namespace elmo
