// Attention of a text's rows to the rows of another text or of the same text.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/nn/layer.h"
#include "core/parallel/workers.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// Dot-product attention without parameters: row q of a sequence becomes Σ_j p_j k_j over the rows
/// k_j of another sequence, with p = softmax_j(q · k_j). Between two texts this is the soft
/// alignment of ESIM (Chen et al. 2017, equations 11 to 13). Within one text it is the biattention
/// of McCann et al. 2017 (equations 6 to 9, with both texts the same).
///
/// backward recomputes the weights, a block of rows at a time, so memory grows linearly with the
/// length of a text. Not for two threads at once.
class Attention {
 public:
  /// Replaces `attended` [N, D], the shape of `rows`. Sequence b attends to sequence others[b] of
  /// the same rows, and others[b] attends to b; others[b] may be b. `rows` and `sequences` must not
  /// change until backward.
  void forward(const Matrix& rows, const Sequences& sequences, std::span<const std::int64_t> others,
               Workers& workers, Matrix& attended);

  /// Adds to the gradient with respect to the rows, both attending and attended.
  void backward(const Matrix& attended_gradient, Workers& workers, Matrix& row_gradient);

 private:
  // Some rows of one sequence, and all rows that they attend to.
  struct Block {
    std::int64_t query = 0;
    std::int64_t rows = 0;
    std::int64_t key = 0;
    std::int64_t keys = 0;
  };
  // The memory of one worker.
  struct Workspace {
    AlignedVector<float> weights;          // [rows, keys] of a block
    AlignedVector<float> weight_gradient;  // [rows, keys]
  };

  template <typename Work>
  void for_each_block(Workers& workers, Work work);
  void compute_weights(const Block& block, AlignedVector<float>& weights) const;

  const Matrix* rows_ = nullptr;
  const Sequences* sequences_ = nullptr;
  std::vector<std::int64_t> others_;
  std::vector<std::int64_t> firsts_;  // the first of each pair of sequences that attend to each
                                      // other
  std::vector<Workspace> workspaces_;
};

}  // namespace elmo
