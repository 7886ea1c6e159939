// The local inference of ESIM: a feed-forward layer over rows and their attended vectors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/nn/layer.h"
#include "core/parallel/workers.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// max([a; ã; a − ã; a ⊙ ã]·W + b, 0) followed by dropout, for each row a and its attended ã (Chen
/// et al. 2017, equations 14 to 16). The concatenated rows are never built. With W in four parts,
/// the sum is a·(W_1 + W_3) + ã·(W_2 − W_3) + (a ⊙ ã)·W_4, which takes a quarter fewer
/// multiplications. Not for two threads at once.
class ComparedProjection {
 public:
  /// Parameters NAME/W [4 · columns, outputs] and NAME/b [outputs], all zero. `place` is the id of
  /// its dropout mask, unique in the model.
  ComparedProjection(const std::string& name, std::int64_t columns, std::int64_t outputs,
                     float dropout, std::uint32_t place);

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
  std::uint32_t place_;
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
