#include "core/nn/maxout.h"

#include <cmath>

namespace elmo {

void Maxout::forward(const Matrix& in, Matrix& out) {
  out.resize(in.rows, in.columns / pool_);
  where_.resize(out.values.size());
  for (std::size_t i = 0; i < where_.size(); ++i) {
    const std::int64_t begin = static_cast<std::int64_t>(i) * pool_;
    std::int64_t best = begin;
    for (std::int64_t k = begin + 1; k < begin + pool_; ++k) {
      const float value = in.values[static_cast<std::size_t>(k)];
      if (value > in.values[static_cast<std::size_t>(best)] || std::isnan(value)) best = k;
    }
    where_[i] = best;
    out.values[i] = in.values[static_cast<std::size_t>(best)];
  }
}

void Maxout::backward(const Matrix& out_gradient, Matrix& in_gradient) const {
  in_gradient.resize(out_gradient.rows, out_gradient.columns * pool_);
  for (std::size_t i = 0; i < where_.size(); ++i) {
    in_gradient.values[static_cast<std::size_t>(where_[i])] = out_gradient.values[i];
  }
}

}  // namespace elmo
