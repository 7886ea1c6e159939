#include "core/kernels/encoder_ops.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/encoder_ops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elmo::HWY_NAMESPACE {
namespace {

void pool(const float* from, std::int64_t positions, std::int64_t filters, float* to) {
  const Floats d;
  for_each_vector(filters, [&](auto part, std::int64_t at) HWY_ATTR {
    Vec largest = part.load(d, from + at);
    for (std::int64_t position = 1; position < positions; ++position) {
      largest = larger(largest, part.load(d, from + position * filters + at));
    }
    part.store(largest, d, to + at);
  });
}

void highway_row(const float* carry, const float* carry_bias, const float* transform,
                 const float* transform_bias, std::int64_t filters, float* x) {
  const Floats d;
  for_each_vector(filters, [&](auto part, std::int64_t at) HWY_ATTR {
    const auto biased = [&](const float* values, const float* bias) HWY_ATTR {
      return hn::Add(part.load(d, values + at), part.load(d, bias + at));
    };
    const Vec gate = sigmoid(biased(carry, carry_bias));
    const Vec candidate = relu(biased(transform, transform_bias));
    const Vec input = part.load(d, x + at);
    part.store(hn::MulAdd(gate, hn::Sub(candidate, input), input), d, x + at);
  });
}

}  // namespace
}  // namespace elmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace elmo {

HWY_EXPORT(pool);
HWY_EXPORT(highway_row);

void max_pool(const float* from, std::int64_t positions, std::int64_t filters,
              Activation activation, float* to) {
  HWY_DYNAMIC_DISPATCH(pool)(from, positions, filters, to);
  for (std::int64_t f = 0; f < filters; ++f) {
    to[f] = activation == Activation::relu ? std::max(to[f], 0.0F) : std::tanh(to[f]);
  }
}

void highway(const float* carry, const float* carry_bias, const float* transform,
             const float* transform_bias, std::int64_t rows, std::int64_t filters, float* x) {
  for (std::int64_t row = 0; row < rows; ++row) {
    HWY_DYNAMIC_DISPATCH(highway_row)
    (carry + row * filters, carry_bias, transform + row * filters, transform_bias, filters,
     x + row * filters);
  }
}

}  // namespace elmo
#endif
