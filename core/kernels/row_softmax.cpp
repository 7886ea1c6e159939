#include "core/kernels/row_softmax.h"

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/row_softmax.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elmo::HWY_NAMESPACE {
namespace {

void softmax_row(float* values, std::int64_t size) {
  const Floats d;
  constexpr float kNone = -std::numeric_limits<float>::infinity();
  Vec largest = hn::Set(d, kNone);
  for_each_vector(size, [&](auto part, std::int64_t at) HWY_ATTR {
    largest = larger(largest, part.load(d, values + at, kNone));
  });
  const Vec shift = hn::MaxOfLanes(d, largest);
  Vec sum = hn::Zero(d);
  for_each_vector(size, [&](auto part, std::int64_t at) HWY_ATTR {
    const Vec e = exp_of_negative(hn::Sub(part.load(d, values + at, kNone), shift));
    part.store(e, d, values + at);
    sum = hn::Add(sum, e);
  });
  const Vec factor = hn::Div(hn::Set(d, 1.0F), hn::SumOfLanes(d, sum));
  for_each_vector(size, [&](auto part, std::int64_t at) HWY_ATTR {
    part.store(hn::Mul(factor, part.load(d, values + at)), d, values + at);
  });
}

void softmax_row_backward(const float* probabilities, std::int64_t size, float* gradient) {
  const Floats d;
  Vec sum = hn::Zero(d);
  for_each_vector(size, [&](auto part, std::int64_t at) HWY_ATTR {
    sum = hn::MulAdd(part.load(d, probabilities + at), part.load(d, gradient + at), sum);
  });
  const Vec mean = hn::SumOfLanes(d, sum);
  for_each_vector(size, [&](auto part, std::int64_t at) HWY_ATTR {
    const Vec apart = hn::Sub(part.load(d, gradient + at), mean);
    part.store(hn::Mul(part.load(d, probabilities + at), apart), d, gradient + at);
  });
}

}  // namespace
}  // namespace elmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace elmo {

HWY_EXPORT(softmax_row);
HWY_EXPORT(softmax_row_backward);

void softmax_rows(float* values, std::int64_t rows, std::int64_t columns, std::int64_t stride) {
  for (std::int64_t row = 0; row < rows; ++row) {
    HWY_DYNAMIC_DISPATCH(softmax_row)(values + row * stride, columns);
  }
}

void softmax_rows_backward(const float* probabilities, std::int64_t rows, std::int64_t columns,
                           std::int64_t stride, float* gradient) {
  for (std::int64_t row = 0; row < rows; ++row) {
    HWY_DYNAMIC_DISPATCH(softmax_row_backward)
    (probabilities + row * stride, columns, gradient + row * stride);
  }
}

}  // namespace elmo
#endif
