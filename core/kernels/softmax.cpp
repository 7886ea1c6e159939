#include "core/kernels/softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/softmax.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elmo::HWY_NAMESPACE {
namespace {

// Number of exponentials summed in float32; these sums are added in float64.
constexpr std::int64_t kPartialSum = 1024;

constexpr float kNone = -std::numeric_limits<float>::infinity();

// Returns the value to subtract from logits before the exponential: the maximum, or 0 without
// finite logits.
float shift_of(float maximum) { return maximum == kNone ? 0.0F : maximum; }

// Returns Σ exp(value(part, at) − shift) over `size` ≤ kPartialSum values. Past the last value,
// `value` returns −infinity. Calls keep(part, at, exponential) for each vector.
template <typename Value, typename Keep>
HWY_INLINE double sum_exponentials(std::int64_t size, float shift, Value value, Keep keep) {
  const Floats d;
  Vec sum = hn::Zero(d);
  for_each_vector(size, [&](auto part, std::int64_t at) HWY_ATTR {
    const Vec e = exp_of_negative(hn::Sub(value(part, at), hn::Set(d, shift)));
    keep(part, at, e);
    sum = hn::Add(sum, e);
  });
  return double{hn::GetLane(hn::SumOfLanes(d, sum))};
}

template <typename Value>
HWY_INLINE float largest_of(std::int64_t size, Value value) {
  const Floats d;
  Vec largest = hn::Set(d, kNone);
  for_each_vector(size, [&](auto part, std::int64_t at)
                            HWY_ATTR { largest = hn::Max(largest, value(part, at)); });
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

void accumulate_row(const float* logits, const float* bias, std::int64_t columns, float& maximum,
                    double& sum) {
  const Floats d;
  for (std::int64_t begin = 0; begin < columns; begin += kPartialSum) {
    const std::int64_t size = std::min(kPartialSum, columns - begin);
    const auto value = [&](auto part, std::int64_t at) HWY_ATTR {
      const Vec logit = part.load(d, logits + begin + at, kNone);
      return bias == nullptr ? logit : hn::Add(logit, part.load(d, bias + begin + at));
    };
    const float before = maximum;
    maximum = std::max(before, largest_of(size, value));
    const float shift = shift_of(maximum);
    sum = sum * std::exp(double{before} - double{shift}) +
          sum_exponentials(size, shift, value, [](auto, std::int64_t, Vec) HWY_ATTR {});
  }
}

// Returns the loss of one row and replaces its logits and target logit by gradients.
double row_cross_entropy(const SampledCrossEntropy& task, float* logits, std::int32_t target_id,
                         float& target_logit) {
  const Floats d;
  const std::int64_t samples = task.samples;
  const float* offsets = task.sample_offsets;

  // Excludes an accidental hit, then adds the offsets to all other logits.
  const std::int32_t* end = task.sample_ids + samples;
  const std::int32_t* hit = std::lower_bound(task.sample_ids, end, target_id);
  if (hit != end && *hit == target_id) logits[hit - task.sample_ids] = kNone;
  const float largest_sample = largest_of(samples, [&](auto part, std::int64_t at) HWY_ATTR {
    const Vec value = hn::Add(part.load(d, logits + at, kNone), part.load(d, offsets + at));
    part.store(value, d, logits + at);
    return value;
  });
  const float shift = shift_of(std::max(target_logit, largest_sample));

  double others = 0;
  for (std::int64_t begin = 0; begin < samples; begin += kPartialSum) {
    float* values = logits + begin;
    others += sum_exponentials(
        std::min(kPartialSum, samples - begin), shift,
        [&](auto part, std::int64_t at) HWY_ATTR { return part.load(d, values + at, kNone); },
        [&](auto part, std::int64_t at, Vec e) HWY_ATTR { part.store(e, d, values + at); });
  }
  const double distance = double{target_logit} - double{shift};
  const double total = others + std::exp(distance);

  const auto factor = static_cast<float>(double{task.scale} / total);
  for_each_vector(samples, [&](auto part, std::int64_t at) HWY_ATTR {
    part.store(hn::Mul(hn::Set(d, factor), part.load(d, logits + at)), d, logits + at);
  });
  // p(target) − 1 is the negative sum of the other probabilities, which is accurate when p is close
  // to 1.
  target_logit = static_cast<float>(-double{task.scale} * (others / total));
  return std::log(total) - distance;
}

void softmax_row(float* values, std::int64_t size) {
  const Floats d;
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

HWY_EXPORT(accumulate_row);
HWY_EXPORT(row_cross_entropy);

void accumulate_exponentials(const float* logits, std::int64_t rows, std::int64_t columns,
                             std::int64_t stride, const float* bias, float* maximum, double* sum) {
  for (std::int64_t row = 0; row < rows; ++row) {
    HWY_DYNAMIC_DISPATCH(accumulate_row)
    (logits + row * stride, bias, columns, maximum[row], sum[row]);
  }
}

double sampled_cross_entropy(const SampledCrossEntropy& task) {
  double loss = 0;
  for (std::int64_t row = 0; row < task.rows; ++row) {
    float* logits = task.logits + row * task.stride;
    if (task.target_ids[row] < 0) {
      std::fill(logits, logits + task.samples, 0.0F);
      task.target_logits[row] = 0.0F;
    } else {
      loss += HWY_DYNAMIC_DISPATCH(row_cross_entropy)(task, logits, task.target_ids[row],
                                                      task.target_logits[row]);
    }
  }
  return loss;
}

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
