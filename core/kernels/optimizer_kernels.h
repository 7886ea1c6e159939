// Optimizer updates of parameters, and sums over their gradients.
#pragma once

#include <cstdint>

#include "core/matrix.h"

namespace elmo {

/// Returns Σ values² in float64, summed in an order that depends on `size` only. Any thread.
double squared_norm(const float* values, std::int64_t size);

/// to[c] += Σ over rows of from[r, c]. `from` must not be transposed. Any thread.
void add_column_sums(ConstFloatView from, float* to);

/// to[i] += from[i]. Any thread.
void add(const float* from, std::int64_t size, float* to);

/// to[i] += share · (from[i] − to[i]). Any thread.
void average(float share, const float* from, std::int64_t size, float* to);

/// Clips values[i] to ±clip. NaN stays NaN. Any thread.
void clip(float* values, std::int64_t size, float clip);

/// Adam (Kingma and Ba 2015) with decoupled weight decay (Loshchilov and Hutter 2019).
struct AdamStep {
  float rate = 0.0F;  ///< learning rate
  float beta1 = 0.9F;
  float beta2 = 0.999F;
  float epsilon = 1e-8F;
  float correction1 = 1.0F;     ///< 1 / (1 − beta1^t)
  float correction2 = 1.0F;     ///< 1 / (1 − beta2^t)
  float weight_decay = 0.0F;    ///< value −= rate · weight_decay · value
  float gradient_scale = 1.0F;  ///< multiplies the gradients first
};
void adam(const AdamStep& step, const float* gradient, std::int64_t size, float* values,
          float* first_moment, float* second_moment);

/// Adagrad (Duchi et al. 2011) as in TensorFlow: accumulator += g², value −= rate · g /
/// √accumulator. Accumulators must be positive initially.
struct AdagradStep {
  float rate = 0.0F;
  float weight_decay = 0.0F;  ///< see AdamStep
  float gradient_scale = 1.0F;
};
void adagrad(const AdagradStep& step, const float* gradient, std::int64_t size, float* values,
             float* accumulator);

}  // namespace elmo
