// How an optimizer changes parameters, and other sums over their gradients.
#pragma once

#include <cstdint>

namespace elmo {

/// Σ values², in float64, in an order that depends on `size` only. Any thread.
double squared_norm(const float* values, std::int64_t size);

/// to[c] += Σ over rows of from[r · columns + c]. Any thread.
void add_column_sums(const float* from, std::int64_t rows, std::int64_t columns, float* to);

/// to[i] += from[i]. Any thread.
void add(const float* from, std::int64_t size, float* to);

/// to[i] += share · (from[i] − to[i]). Any thread.
void average(float share, const float* from, std::int64_t size, float* to);

/// to[i] = |from[i]| ≥ clip ? 0 : to[i]: the gradient of a value that was held to ±clip. Any
/// thread.
void mask_clipped(const float* from, std::int64_t size, float clip, float* to);

/// values[i] is held to ±clip; what is not a number stays so. Any thread.
void clip(float* values, std::int64_t size, float clip);

/// Kingma and Ba 2015, decoupled weight decay as Loshchilov and Hutter 2019.
struct AdamStep {
  float rate = 0.0F;  ///< learning rate
  float beta1 = 0.9F;
  float beta2 = 0.999F;
  float epsilon = 1e-8F;
  float correction1 = 1.0F;     ///< 1 / (1 − beta1^t)
  float correction2 = 1.0F;     ///< 1 / (1 − beta2^t)
  float weight_decay = 0.0F;    ///< value −= rate · weight_decay · value
  float gradient_scale = 1.0F;  ///< gradients are multiplied by it first
};
void adam(const AdamStep& step, const float* gradient, std::int64_t size, float* values,
          float* first_moment, float* second_moment);

/// Duchi et al. 2011, as TensorFlow has it: accumulator += g², value −= rate · g / √accumulator,
/// for accumulators above 0 from the start.
struct AdagradStep {
  float rate = 0.0F;
  float weight_decay = 0.0F;  ///< as AdamStep
  float gradient_scale = 1.0F;
};
void adagrad(const AdagradStep& step, const float* gradient, std::int64_t size, float* values,
             float* accumulator);

}  // namespace elmo
