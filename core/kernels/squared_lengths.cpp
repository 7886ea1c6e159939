#include "core/kernels/squared_lengths.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/squared_lengths.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elmo::HWY_NAMESPACE {
namespace {

// Four sums side by side, as one would wait for the addition before.
void lengths_of_rows(const float* values, std::int64_t stride, std::int64_t width, float* lengths,
                     std::size_t rows) {
  const Floats d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::size_t row = 0; row < rows; ++row, values += stride) {
    Vec first = hn::Zero(d);
    Vec second = hn::Zero(d);
    Vec third = hn::Zero(d);
    Vec fourth = hn::Zero(d);
    std::int64_t at = 0;
    for (; at + 4 * lanes <= width; at += 4 * lanes) {
      const Vec a = hn::LoadU(d, values + at);
      const Vec b = hn::LoadU(d, values + at + lanes);
      const Vec c = hn::LoadU(d, values + at + 2 * lanes);
      const Vec e = hn::LoadU(d, values + at + 3 * lanes);
      first = hn::MulAdd(a, a, first);
      second = hn::MulAdd(b, b, second);
      third = hn::MulAdd(c, c, third);
      fourth = hn::MulAdd(e, e, fourth);
    }
    for_each_vector(width - at, [&](auto part, std::int64_t from) HWY_ATTR {
      const Vec value = part.load(d, values + at + from);
      first = hn::MulAdd(value, value, first);
    });
    const Vec sum = hn::Add(hn::Add(first, second), hn::Add(third, fourth));
    lengths[row] = hn::GetLane(hn::SumOfLanes(d, sum));
  }
}

}  // namespace
}  // namespace elmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace elmo {

HWY_EXPORT(lengths_of_rows);

void squared_lengths(const float* values, std::int64_t stride, std::int64_t width,
                     std::span<float> lengths) {
  HWY_DYNAMIC_DISPATCH(lengths_of_rows)(values, stride, width, lengths.data(), lengths.size());
}

}  // namespace elmo
#endif
