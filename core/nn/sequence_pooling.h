// Pooling of the rows of a sequence into one row.
#pragma once

#include <cstdint>
#include <vector>

#include "core/matrix.h"
#include "core/nn/layer.h"

namespace elmo {

enum class Pool { max, min, mean };

/// Maximum, minimum or mean of each column over the rows of a sequence. Of equal values, the first
/// gets the gradient. Not for two threads at once.
class SequencePooling {
 public:
  explicit SequencePooling(Pool kind) : kind_(kind) {}

  /// Pools sequence b of `rows` [N, D] into columns [first, first + D) of row b of `pooled` [B, at
  /// least first + D]. `sequences` must not change until backward.
  void forward(const Matrix& rows, const Sequences& sequences, Matrix& pooled, std::int64_t first);

  /// Adds to the gradient with respect to the rows. Reads only those columns of `pooled_gradient`
  /// that forward wrote.
  void backward(const Matrix& pooled_gradient, std::int64_t first, Matrix& row_gradient) const;

 private:
  Pool kind_;
  const Sequences* sequences_ = nullptr;
  std::vector<std::int32_t> where_;  // [B, D], max and min: the chosen row
};

/// The mean of a sequence's rows weighted by softmax(row · w) with a learned w (McCann et al. 2017,
/// equation 12). There is no bias, because it would cancel in the softmax of a sequence. Not for
/// two threads at once.
class SelfAttentivePooling {
 public:
  /// Parameter NAME/W [columns], all zero, which gives the plain mean of the rows.
  explicit SelfAttentivePooling(const std::string& name, std::int64_t columns)
      : weights_(name + "/W", {columns}) {}

  std::vector<Parameter*> parameters() { return {&weights_}; }

  /// Like SequencePooling's functions. `rows` must not change until backward either.
  void forward(const Matrix& rows, const Sequences& sequences, Matrix& pooled, std::int64_t first);
  void backward(const Matrix& pooled_gradient, std::int64_t first, Matrix& row_gradient);

 private:
  Parameter weights_;
  const Matrix* rows_ = nullptr;
  const Sequences* sequences_ = nullptr;
  AlignedVector<float> shares_;          // [N], softmax weights
  AlignedVector<float> share_gradient_;  // [N]
};

}  // namespace elmo
