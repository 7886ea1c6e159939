// The elementwise half of the character encoder.
#pragma once

#include <cstdint>

#include "core/kernels/activation.h"

namespace elmo {

/// Computes to[f] = activation(max over positions p of from[p · filters + f]). Requires positions ≥
/// 1. Any thread.
void max_pool(const float* from, std::int64_t positions, std::int64_t filters,
              Activation activation, float* to);

/// Computes a highway layer's output (Srivastava et al. 2015) from its two products, in place: x =
/// g·relu(transform + b_transform) + (1 − g)·x with g = sigmoid(carry + b_carry). All are [rows,
/// filters] without gaps, biases [filters]. Any thread.
void highway(const float* carry, const float* carry_bias, const float* transform,
             const float* transform_bias, std::int64_t rows, std::int64_t filters, float* x);

}  // namespace elmo
