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
  for_each_vector(cells, [&](auto part, std::int64_t at) HWY_ATTR {
    float* sums = step.sums + at;
    const Vec r = sigmoid(hn::Add(part.load(d, sums), part.load(d, step.bias + at)));
    const Vec carry = hn::Add(part.load(d, sums + cells), part.load(d, step.bias + cells + at));
    part.store(r, d, sums);
    part.store(carry, d, sums + cells);
    const Vec mixed = hn::MulAdd(r, hn::Sub(part.load(d, step.layer + at), carry), carry);
    part.store(step.mask == nullptr ? mixed : hn::Mul(mixed, part.load(d, step.mask + at)), d,
               step.output + at);
  });
}

void backward(const HighwayBackwardStep& step) {
  const Floats d;
  const std::int64_t cells = step.cells;
  for_each_vector(cells, [&](auto part, std::int64_t at) HWY_ATTR {
    float* sums = step.sums + at;
    float* gradient = step.gradient + at;
    const Vec r = part.load(d, sums);
    const Vec carry = part.load(d, sums + cells);
    const Vec unmasked = part.load(d, gradient);
    const Vec mixed =
        step.mask == nullptr ? unmasked : hn::Mul(unmasked, part.load(d, step.mask + at));
    const Vec kept = hn::Sub(hn::Set(d, 1.0F), r);
    const Vec layer_part = hn::Mul(mixed, r);
    const Vec difference = hn::Sub(part.load(d, step.layer + at), carry);
    part.store(hn::Mul(hn::Mul(layer_part, kept), difference), d, sums);
    part.store(hn::Mul(mixed, kept), d, sums + cells);
    part.store(layer_part, d, gradient);
  });
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
