// Maxout: the largest of each group of values.
#pragma once

#include <cstdint>
#include <vector>

#include "core/nn/layer.h"

namespace elmo {

/// Maxout (Goodfellow et al. 2013) over the sums of a linear layer: out[r, c] is the largest of
/// in[r, c·pool] … in[r, c·pool + pool − 1]. Of equal values, the first gets the gradient. Not for
/// two threads at once.
class Maxout {
 public:
  explicit Maxout(std::int64_t pool) : pool_(pool) {}

  std::int64_t pool() const { return pool_; }

  /// Replaces `out` [N, D]. `in` is [N, pool · D].
  void forward(const Matrix& in, Matrix& out);

  /// Replaces `in_gradient` [N, pool · D].
  void backward(const Matrix& out_gradient, Matrix& in_gradient) const;

 private:
  std::int64_t pool_;
  std::vector<std::int64_t> where_;  // [N, D], indices of the largest values in `in`
};

}  // namespace elmo
