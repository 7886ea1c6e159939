#include "core/kernels/optimizer_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/optimizer_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elmo::HWY_NAMESPACE {
namespace {

double norm_of_all(const float* values, std::int64_t size) {
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<float, decltype(d)> narrow;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto value = [&](std::int64_t at)
                         HWY_ATTR { return hn::PromoteTo(d, hn::LoadU(narrow, values + at)); };
  // Several sums, so that additions do not wait for each other.
  auto sum0 = hn::Zero(d);
  auto sum1 = hn::Zero(d);
  auto sum2 = hn::Zero(d);
  auto sum3 = hn::Zero(d);
  std::int64_t at = 0;
  for (; at + 4 * lanes <= size; at += 4 * lanes) {
    const auto value0 = value(at);
    const auto value1 = value(at + lanes);
    const auto value2 = value(at + 2 * lanes);
    const auto value3 = value(at + 3 * lanes);
    sum0 = hn::MulAdd(value0, value0, sum0);
    sum1 = hn::MulAdd(value1, value1, sum1);
    sum2 = hn::MulAdd(value2, value2, sum2);
    sum3 = hn::MulAdd(value3, value3, sum3);
  }
  double sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3))));
  for (; at < size; ++at) sum += double{values[at]} * double{values[at]};
  return sum;
}

void add_all(const float* from, std::int64_t size, float* to) {
  const Floats d;
  for_each_vector(size, [&](auto part, std::int64_t at) HWY_ATTR {
    part.store(hn::Add(part.load(d, to + at), part.load(d, from + at)), d, to + at);
  });
}

// Adds four rows at a time, to read and write the sums a quarter as often.
void add_rows(ConstFloatView from, float* to) {
  const Floats d;
  std::int64_t row = 0;
  for (; row + 4 <= from.rows; row += 4) {
    const float* first = from.values + row * from.stride;
    for_each_vector(from.columns, [&](auto part, std::int64_t at) HWY_ATTR {
      const auto value = [&](std::int64_t index)
                             HWY_ATTR { return part.load(d, first + index * from.stride + at); };
      const Vec sum = hn::Add(hn::Add(value(0), value(1)), hn::Add(value(2), value(3)));
      part.store(hn::Add(part.load(d, to + at), sum), d, to + at);
    });
  }
  for (; row < from.rows; ++row) {
    add_all(from.values + row * from.stride, from.columns, to);
  }
}

void average_all(float share, const float* from, std::int64_t size, float* to) {
  const Floats d;
  for_each_vector(size, [&](auto part, std::int64_t at) HWY_ATTR {
    const Vec before = part.load(d, to + at);
    const Vec change = hn::Sub(part.load(d, from + at), before);
    part.store(hn::MulAdd(hn::Set(d, share), change, before), d, to + at);
  });
}

void clip_all(float* values, std::int64_t size, float bound) {
  const Floats d;
  for_each_vector(size, [&](auto part, std::int64_t at) HWY_ATTR {
    part.store(clip(hn::Set(d, bound), part.load(d, values + at)), d, values + at);
  });
}

void adam_all(const AdamStep& step, const float* gradient, std::int64_t size, float* values,
              float* first_moment, float* second_moment) {
  const Floats d;
  const AdamStep s = step;
  for_each_vector(size, [&](auto part, std::int64_t at) HWY_ATTR {
    const Vec g = hn::Mul(hn::Set(d, s.gradient_scale), part.load(d, gradient + at));
    const Vec value = part.load(d, values + at);
    const Vec m = hn::MulAdd(hn::Set(d, s.beta1), part.load(d, first_moment + at),
                             hn::Mul(hn::Set(d, 1.0F - s.beta1), g));
    const Vec v = hn::MulAdd(hn::Set(d, s.beta2), part.load(d, second_moment + at),
                             hn::Mul(hn::Set(d, 1.0F - s.beta2), hn::Mul(g, g)));
    const Vec deviation =
        hn::Add(hn::Sqrt(hn::Mul(hn::Set(d, s.correction2), v)), hn::Set(d, s.epsilon));
    const Vec direction = hn::MulAdd(hn::Set(d, s.weight_decay), value,
                                     hn::Div(hn::Mul(hn::Set(d, s.correction1), m), deviation));
    part.store(m, d, first_moment + at);
    part.store(v, d, second_moment + at);
    part.store(hn::NegMulAdd(hn::Set(d, s.rate), direction, value), d, values + at);
  });
}

void adagrad_all(const AdagradStep& step, const float* gradient, std::int64_t size, float* values,
                 float* accumulator) {
  const Floats d;
  const AdagradStep s = step;
  for_each_vector(size, [&](auto part, std::int64_t at) HWY_ATTR {
    const Vec g = hn::Mul(hn::Set(d, s.gradient_scale), part.load(d, gradient + at));
    const Vec value = part.load(d, values + at);
    const Vec sum = hn::MulAdd(g, g, part.load(d, accumulator + at));
    const Vec direction = hn::MulAdd(hn::Set(d, s.weight_decay), value, hn::Div(g, hn::Sqrt(sum)));
    part.store(sum, d, accumulator + at);
    part.store(hn::NegMulAdd(hn::Set(d, s.rate), direction, value), d, values + at);
  });
}

}  // namespace
}  // namespace elmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace elmo {

HWY_EXPORT(norm_of_all);
HWY_EXPORT(add_all);
HWY_EXPORT(add_rows);
HWY_EXPORT(average_all);
HWY_EXPORT(clip_all);
HWY_EXPORT(adam_all);
HWY_EXPORT(adagrad_all);

double squared_norm(const float* values, std::int64_t size) {
  return HWY_DYNAMIC_DISPATCH(norm_of_all)(values, size);
}

void add_column_sums(ConstFloatView from, float* to) { HWY_DYNAMIC_DISPATCH(add_rows)(from, to); }

void add(const float* from, std::int64_t size, float* to) {
  HWY_DYNAMIC_DISPATCH(add_all)(from, size, to);
}

void average(float share, const float* from, std::int64_t size, float* to) {
  HWY_DYNAMIC_DISPATCH(average_all)(share, from, size, to);
}

void clip(float* values, std::int64_t size, float clip) {
  HWY_DYNAMIC_DISPATCH(clip_all)(values, size, clip);
}

void adam(const AdamStep& step, const float* gradient, std::int64_t size, float* values,
          float* first_moment, float* second_moment) {
  HWY_DYNAMIC_DISPATCH(adam_all)(step, gradient, size, values, first_moment, second_moment);
}

void adagrad(const AdagradStep& step, const float* gradient, std::int64_t size, float* values,
             float* accumulator) {
  HWY_DYNAMIC_DISPATCH(adagrad_all)(step, gradient, size, values, accumulator);
}

}  // namespace elmo
#endif
