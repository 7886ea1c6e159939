// The largest of a few numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "core/nn/layer.h"

namespace elmo {

/// Maxout (Goodfellow et al. 2013) of sums that a linear layer computed: out[r, c] is the largest
/// of in[r, c·pool] … in[r, c·pool + pool − 1]. Of equal numbers the first has the gradient. Not
/// for two threads at once.
class Maxout {
 public:
  explicit Maxout(std::int64_t pool) : pool_(pool) {}

  std::int64_t pool() const { return pool_; }

  /// `in` [N, pool · D] becomes `out` [N, D].
  void forward(const Matrix& in, Matrix& out);

  /// Replaces `in_gradient`.
  void backward(const Matrix& out_gradient, Matrix& in_gradient) const;

 private:
  std::int64_t pool_;
  std::vector<std::int64_t> where_;  // [N, D], of `in`
};

}  // namespace elmo
