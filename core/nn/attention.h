// What the rows of a text find in those of another, or in one another.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/nn/layer.h"
#include "core/parallel/workers.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// Dot-product attention without parameters: row q of a sequence becomes Σ_j p_j k_j over the rows
/// k_j of another sequence, with p = softmax_j(q · k_j). Of two texts it is the soft alignment of
/// ESIM (Chen et al. 2017, equations 11 to 13), of a text with itself the biattention of McCann et
/// al. 2017 (equations 6 to 9, where both texts are the same).
///
/// The weights are computed again for the gradient, some rows at a time, so that memory grows with
/// the length of a text and not with its square. Not for two threads at once.
class Attention {
 public:
  /// Replaces `attended`, which gets the shape of `rows` [N, D]. Sequence b attends to sequence
  /// others[b] of the same rows, and that one to b; it may be b. Rows and sequences have to stay as
  /// they are until backward.
  void forward(const Matrix& rows, const Sequences& sequences, std::span<const std::int64_t> others,
               Workers& workers, Matrix& attended);

  /// Adds to the gradient with respect to the rows, those that attend and those attended to.
  void backward(const Matrix& attended_gradient, Workers& workers, Matrix& row_gradient);

 private:
  // Rows of one sequence, with all of those that they attend to.
  struct Block {
    std::int64_t query = 0;
    std::int64_t rows = 0;
    std::int64_t key = 0;
    std::int64_t keys = 0;
  };
  // What one of the workers computes in.
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
  std::vector<std::int64_t> firsts_;  // of two sequences that attend to each other the first
  std::vector<Workspace> workspaces_;
};

}  // namespace elmo
