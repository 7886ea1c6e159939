#include "core/kernels/quantize.h"

#include "core/kernels/gemm.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/quantize.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elmo::HWY_NAMESPACE {
namespace {

float largest_magnitude(const float* values, std::int64_t count) {
  const Floats d;
  const Ints di;
  // As whole numbers, magnitudes have the same order, and what is not a number comes behind all
  // others.
  auto largest = hn::Zero(di);
  for_each_vector(count, [&](auto part, std::int64_t at) HWY_ATTR {
    largest = hn::Max(largest, hn::BitCast(di, hn::Abs(part.load(d, values + at))));
  });
  return hn::GetLane(hn::BitCast(d, hn::MaxOfLanes(di, largest)));
}

void quantize_row(const float* from, std::int64_t columns, float inverse_scale, std::uint8_t* to) {
  const Floats d;
  const hn::Rebind<std::uint8_t, Floats> d8;
  for_each_vector(columns, [&](auto part, std::int64_t at) HWY_ATTR {
    const auto steps = hn::NearestInt(hn::Mul(part.load(d, from + at), hn::Set(d, inverse_scale)));
    part.store(hn::DemoteTo(d8, hn::Add(steps, hn::Set(Ints(), kQuantizedZero))), d8, to + at);
  });
}

void dequantize_row(const std::int32_t* sums, float scale, const float* column_scales,
                    const std::int32_t* offsets, std::int64_t columns, float* to) {
  const Floats d;
  const Ints di;
  for_each_vector(columns, [&](auto part, std::int64_t at) HWY_ATTR {
    const Vec sum =
        hn::ConvertTo(d, hn::Sub(part.load(di, sums + at), part.load(di, offsets + at)));
    const Vec factor = hn::Mul(hn::Set(d, scale), part.load(d, column_scales + at));
    part.store(hn::Mul(sum, factor), d, to + at);
  });
}

}  // namespace
}  // namespace elmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace elmo {

namespace {

// Rows of nothing larger are rows of zeros: the reciprocal of their scale would not be a number.
constexpr float kSmallest = 1e-30F;

}  // namespace

HWY_EXPORT(largest_magnitude);
HWY_EXPORT(quantize_row);
HWY_EXPORT(dequantize_row);

void quantize_rows(const float* from, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                   std::uint8_t* to, float* scales) {
  for (std::int64_t row = 0; row < rows; ++row) {
    const float* values = from + row * stride;
    const float largest = HWY_DYNAMIC_DISPATCH(largest_magnitude)(values, columns);
    scales[row] = largest < kSmallest ? 1.0F : largest / 127.0F;
    HWY_DYNAMIC_DISPATCH(quantize_row)(values, columns, 1.0F / scales[row], to + row * columns);
  }
}

void dequantize_sums(const std::int32_t* sums, const float* scales, const float* column_scales,
                     const std::int32_t* offsets, std::int64_t rows, std::int64_t columns,
                     float* to) {
  for (std::int64_t row = 0; row < rows; ++row) {
    HWY_DYNAMIC_DISPATCH(dequantize_row)
    (sums + row * columns, scales[row], column_scales, offsets, columns, to + row * columns);
  }
}

}  // namespace elmo
#endif
