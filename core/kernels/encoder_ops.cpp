#include "core/kernels/encoder_ops.h"

#include <algorithm>
#include <cmath>

namespace elmo {

// Plain loops: beside the products of a token these take no time worth vector code of their own,
// and the compiler vectorises the simple ones.

void max_pool(const float* from, std::int64_t positions, std::int64_t filters,
              Activation activation, float* to) {
  std::copy(from, from + filters, to);
  for (std::int64_t position = 1; position < positions; ++position) {
    const float* values = from + position * filters;
    for (std::int64_t f = 0; f < filters; ++f) to[f] = std::max(to[f], values[f]);
  }
  for (std::int64_t f = 0; f < filters; ++f) {
    to[f] = activation == Activation::relu ? std::max(to[f], 0.0F) : std::tanh(to[f]);
  }
}

void highway(const float* carry, const float* carry_bias, const float* transform,
             const float* transform_bias, std::int64_t rows, std::int64_t filters, float* x) {
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t f = 0; f < filters; ++f) {
      const std::int64_t place = row * filters + f;
      const float gate = 1.0F / (1.0F + std::exp(-(carry[place] + carry_bias[f])));
      const float candidate = std::max(transform[place] + transform_bias[f], 0.0F);
      x[place] = gate * candidate + (1.0F - gate) * x[place];
    }
  }
}

}  // namespace elmo
