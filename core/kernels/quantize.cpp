#include "core/kernels/quantize.h"

#include <algorithm>
#include <cmath>

#include "core/kernels/gemm.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/quantize.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace elmo::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, 16>;

float largest_magnitude(const float* values, std::int64_t count) {
  const Floats d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  auto largest = hn::Zero(d);
  std::int64_t k = 0;
  for (; k + lanes <= count; k += lanes) {
    largest = hn::Max(largest, hn::Abs(hn::LoadU(d, values + k)));
  }
  float result = hn::GetLane(hn::MaxOfLanes(d, largest));
  for (; k < count; ++k) result = std::max(result, std::fabs(values[k]));
  return result;
}

void quantize_row(const float* from, std::int64_t columns, float inverse_scale, std::uint8_t* to) {
  const Floats d;
  const hn::Rebind<std::uint8_t, Floats> d8;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto factor = hn::Set(d, inverse_scale);
  const auto zero = hn::Set(hn::RebindToSigned<Floats>(), kQuantizedZero);
  std::int64_t k = 0;
  for (; k + lanes <= columns; k += lanes) {
    const auto steps = hn::NearestInt(hn::Mul(hn::LoadU(d, from + k), factor));
    hn::StoreU(hn::DemoteTo(d8, hn::Add(steps, zero)), d8, to + k);
  }
  for (; k < columns; ++k) {
    to[k] = static_cast<std::uint8_t>(std::lrint(from[k] * inverse_scale) + kQuantizedZero);
  }
}

void dequantize_row(const std::int32_t* sums, float scale, const float* column_scales,
                    const std::int32_t* offsets, std::int64_t columns, float* to) {
  const Floats d;
  const hn::RebindToSigned<Floats> di;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto factor = hn::Set(d, scale);
  std::int64_t n = 0;
  for (; n + lanes <= columns; n += lanes) {
    const auto sum = hn::ConvertTo(d, hn::Sub(hn::LoadU(di, sums + n), hn::LoadU(di, offsets + n)));
    hn::StoreU(hn::Mul(sum, hn::Mul(factor, hn::LoadU(d, column_scales + n))), d, to + n);
  }
  for (; n < columns; ++n) {
    to[n] = static_cast<float>(sums[n] - offsets[n]) * (scale * column_scales[n]);
  }
}

}  // namespace
}  // namespace elmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace elmo {

HWY_EXPORT(largest_magnitude);
HWY_EXPORT(quantize_row);
HWY_EXPORT(dequantize_row);

void quantize_rows(const float* from, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                   std::uint8_t* to, float* scales) {
  for (std::int64_t row = 0; row < rows; ++row) {
    const float* values = from + row * stride;
    const float largest = HWY_DYNAMIC_DISPATCH(largest_magnitude)(values, columns);
    scales[row] = largest > 0.0F ? largest / 127.0F : 1.0F;
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
