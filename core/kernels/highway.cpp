#include "core/kernels/highway.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/highway.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elmo::HWY_NAMESPACE {
namespace {

void forward(const HighwayForwardStep& step) {
  const Floats d;
  const std::int64_t cells = step.cells;
  for (std::int64_t row = 0; row < step.rows; ++row) {
    float* sums = step.sums + row * step.sums_stride;
    const float* layer = step.layer + row * cells;
    const float* mask = step.mask == nullptr ? nullptr : step.mask + row * cells;
    float* output = step.output + row * cells;
    for_each_vector(cells, [&](auto part, std::int64_t at) HWY_ATTR {
      const Vec r = sigmoid(hn::Add(part.load(d, sums + at), part.load(d, step.bias + at)));
      const Vec carry =
          hn::Add(part.load(d, sums + cells + at), part.load(d, step.bias + cells + at));
      part.store(r, d, sums + at);
      part.store(carry, d, sums + cells + at);
      const Vec mixed = hn::MulAdd(r, hn::Sub(part.load(d, layer + at), carry), carry);
      part.store(mask == nullptr ? mixed : hn::Mul(mixed, part.load(d, mask + at)), d, output + at);
    });
  }
}

void backward(const HighwayBackwardStep& step) {
  const Floats d;
  const std::int64_t cells = step.cells;
  for (std::int64_t row = 0; row < step.rows; ++row) {
    float* sums = step.sums + row * step.sums_stride;
    const float* layer = step.layer + row * cells;
    const float* mask = step.mask == nullptr ? nullptr : step.mask + row * cells;
    float* gradient = step.gradient + row * cells;
    for_each_vector(cells, [&](auto part, std::int64_t at) HWY_ATTR {
      const Vec one = hn::Set(d, 1.0F);
      const Vec r = part.load(d, sums + at);
      const Vec carry = part.load(d, sums + cells + at);
      const Vec unmasked = part.load(d, gradient + at);
      const Vec mixed = mask == nullptr ? unmasked : hn::Mul(unmasked, part.load(d, mask + at));
      const Vec kept = hn::Sub(one, r);
      const Vec layer_part = hn::Mul(mixed, r);
      const Vec difference = hn::Sub(part.load(d, layer + at), carry);
      part.store(hn::Mul(hn::Mul(layer_part, kept), difference), d, sums + at);
      part.store(hn::Mul(mixed, kept), d, sums + cells + at);
      part.store(layer_part, d, gradient + at);
    });
  }
}

}  // namespace
}  // namespace elmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace elmo {

HWY_EXPORT(forward);
HWY_EXPORT(backward);

void highway_forward(const HighwayForwardStep& step) { HWY_DYNAMIC_DISPATCH(forward)(step); }

void highway_backward(const HighwayBackwardStep& step) { HWY_DYNAMIC_DISPATCH(backward)(step); }

}  // namespace elmo
#endif
