// The elementwise half of the character encoder in training: forward, keeping what the gradient
// needs, and backward.
#pragma once

#include <cstdint>

#include "core/kernels/activation.h"

namespace elmo {

/// to[f] = activation(max over positions p of from[p · filters + f]) and where[f] = the first p of
/// that maximum, for positions ≥ 1. Any thread.
void max_pool(const float* from, std::int64_t positions, std::int64_t filters,
              Activation activation, float* to, std::int32_t* where);

/// The gradient of one token's pooled convolutions of one bank. Only one position of each filter
/// reached the output, so only that one has a gradient: far fewer operations than a dense backward
/// convolution.
struct PooledConvolutionGradient {
  std::int64_t filters = 0;        ///< n
  std::int64_t window = 0;         ///< numbers under a filter: width · C
  std::int64_t embedding_dim = 0;  ///< C
  Activation activation = Activation::relu;
  const float* features = nullptr;          ///< [n], as max_pool left them
  const float* feature_gradient = nullptr;  ///< [n]
  const std::int32_t* where = nullptr;      ///< [n]
  const float* characters = nullptr;        ///< [length, C], the token's embedded characters
  const float* weights = nullptr;           ///< [n, window]: filters transposed, one after another
  float* weight_gradient = nullptr;         ///< [n, window], added to
  float* bias_gradient = nullptr;           ///< [n], added to
  float* character_gradient = nullptr;      ///< [length, C], added to
};
void pooled_convolution_backward(const PooledConvolutionGradient& gradient);

/// A highway layer (Srivastava et al. 2015). In place, all [rows, filters]: `carry`, sums in,
/// g = sigmoid(carry + b_carry) out; `transform`, sums in, r = relu(transform + b_transform) out;
/// y = g·r + (1 − g)·x. Any thread.
void highway_forward(float* carry, const float* carry_bias, float* transform,
                     const float* transform_bias, const float* x, std::int64_t rows,
                     std::int64_t filters, float* y);

/// Its gradient. `carry` and `transform` as highway_forward left them, replaced by the gradients of
/// the sums; `gradient`: with respect to y in, out the part with respect to x that does not pass
/// through the products. Any thread.
void highway_backward(float* carry, float* transform, const float* x, std::int64_t rows,
                      std::int64_t filters, float* gradient);

}  // namespace elmo
