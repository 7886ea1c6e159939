// From the rows of a sequence to one.
#pragma once

#include <cstdint>
#include <vector>

#include "core/nn/layer.h"
#include "core/tensor/aligned.h"

namespace elmo {

enum class Pool { max, min, mean };

/// Numbers of a sequence's rows, column by column: the largest, the least, the mean. Of equal
/// numbers the first has the gradient. Not for two threads at once.
class SequencePooling {
 public:
  explicit SequencePooling(Pool kind) : kind_(kind) {}

  /// `rows` [N, D]; sequence b makes columns `first` … `first` + D − 1 of row b of `pooled`
  /// [B, at least first + D]. `sequences` has to stay as it is until backward.
  void forward(const Matrix& rows, const Sequences& sequences, Matrix& pooled, std::int64_t first);

  /// Adds to the gradient with respect to the rows. Of `pooled_gradient` the columns that forward
  /// wrote are looked at.
  void backward(const Matrix& pooled_gradient, std::int64_t first, Matrix& row_gradient) const;

 private:
  Pool kind_;
  const Sequences* sequences_ = nullptr;
  std::vector<std::int32_t> where_;  // [B, D], max and min: the row that was taken
};

/// The mean of a sequence's rows weighted by softmax(row · w), w learned: McCann et al. 2017,
/// equation 12. A bias would change nothing, as the softmax is of one sequence. Not for two threads
/// at once.
class SelfAttentivePooling {
 public:
  /// w [columns] is all zero: the mean of the rows.
  explicit SelfAttentivePooling(const std::string& name, std::int64_t columns)
      : weights_(name + "/W", {columns}) {}

  std::vector<Parameter*> parameters() { return {&weights_}; }
  Parameter& weights() { return weights_; }
  const Parameter& weights() const { return weights_; }

  /// As SequencePooling's. `rows` too has to stay as it is until backward.
  void forward(const Matrix& rows, const Sequences& sequences, Matrix& pooled, std::int64_t first);
  void backward(const Matrix& pooled_gradient, std::int64_t first, Matrix& row_gradient);

 private:
  Parameter weights_;
  const Matrix* rows_ = nullptr;
  const Sequences* sequences_ = nullptr;
  AlignedVector<float> shares_;          // [N], the softmax
  AlignedVector<float> share_gradient_;  // [N]
};

}  // namespace elmo
