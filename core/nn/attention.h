// Attention of a text's rows to the rows of another text or of the same text, and the layers that
// compare a row with its attended vector.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/matrix.h"
#include "core/nn/layer.h"
#include "core/workers.h"

namespace elmo {

/// Width of a compared row, in widths of an input row.
inline constexpr std::int64_t kComparisonWidth = 3;

/// Replaces `compared` [N, 3D] by [a; a − ã; a ⊙ ã] for rows a and attended ã, both [N, D], as in
/// the biattentive classification network (McCann et al. 2017, equation 10). Any thread.
void compare(const Matrix& rows, const Matrix& attended, Matrix& compared);

/// The gradient of compare(): adds to `row_gradient` and replaces `attended_gradient`. Any thread.
void compare_backward(const Matrix& rows, const Matrix& attended, const Matrix& compared_gradient,
                      Matrix& row_gradient, Matrix& attended_gradient);

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
  // Some rows of one sequence, with all rows that they attend to.
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

/// max([a; ã; a − ã; a ⊙ ã]·W + b, 0) followed by dropout, for each row a and its attended ã (Chen
/// et al. 2017, equations 14 to 16). The concatenated rows are never built. With W in four parts,
/// the sum is a·(W_1 + W_3) + ã·(W_2 − W_3) + (a ⊙ ã)·W_4, which takes a quarter fewer
/// multiplications. Not for two threads at once.
class ComparedProjection {
 public:
  /// Parameters NAME/W [4 · columns, outputs] and NAME/b [outputs], all zero. `mask_id` is the id
  /// of its dropout mask, unique in the model.
  ComparedProjection(const std::string& name, std::int64_t columns, std::int64_t outputs,
                     float dropout, std::uint32_t mask_id);

  std::int64_t outputs() const { return bias_.shape[0]; }
  std::vector<Parameter*> parameters() { return {&weights_, &bias_}; }
  /// Sets Glorot weights and zero biases.
  void initialize(std::uint64_t seed);

  /// Replaces `to` [N, outputs]. `rows` and `attended`: [N, columns]. None of the three may change
  /// until backward.
  void forward(const Matrix& rows, const Matrix& attended, const PassOptions& options,
               Workers& workers, Matrix& to);

  /// `gradient`: as `to` in forward; overwritten. Replaces `row_gradient` and `attended_gradient`.
  void backward(Matrix& gradient, const PassOptions& options, Workers& workers,
                Matrix& row_gradient, Matrix& attended_gradient);

 private:
  // The number of values in one part of W.
  std::int64_t part_size() const { return columns_ * outputs(); }

  std::int64_t columns_;
  float dropout_;
  std::uint32_t mask_id_;
  Parameter weights_;
  Parameter bias_;

  const Matrix* rows_ = nullptr;
  const Matrix* attended_ = nullptr;
  const Matrix* outputs_ = nullptr;
  AlignedVector<float> row_weights_;       // [columns, outputs] W_1 + W_3; backward: aᵀ·gradient
  AlignedVector<float> attended_weights_;  // [columns, outputs] W_2 − W_3; ãᵀ·gradient
  AlignedVector<float> products_;          // [N, columns] a ⊙ ã
  AlignedVector<float> product_gradient_;  // [N, columns]
};

}  // namespace elmo
