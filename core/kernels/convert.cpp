#include "core/kernels/convert.h"

#include <algorithm>
#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/convert.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elmo::HWY_NAMESPACE {
namespace {

// Applies `narrow`, a function of the bits of a vector of floats, to all values.
template <typename Narrow>
HWY_INLINE void narrow_all(const float* from, std::uint16_t* to, std::size_t count, Narrow narrow) {
  const Floats d;
  const hn::Rebind<std::uint16_t, Floats> d16;
  for_each_vector(static_cast<std::int64_t>(count), [&](auto part, std::int64_t at) HWY_ATTR {
    const auto wide = narrow(hn::BitCast(Words(), part.load(d, from + at)));
    part.store(hn::DemoteTo(d16, hn::BitCast(Ints(), wide)), d16, to + at);
  });
}

// Rounds in integer arithmetic, so that every instruction set gives the same bits.
void narrow_to_float16(const float* from, std::uint16_t* to, std::size_t count) {
  const Words d;
  narrow_all(from, to, count, [&](auto bits) HWY_ATTR {
    const auto sign = hn::And(hn::ShiftRight<16>(bits), hn::Set(d, 0x8000));
    const auto magnitude = hn::And(bits, hn::Set(d, 0x7FFFFFFF));
    // Normal: rebias the exponent from 127 to 15, round the 13 dropped bits to even.
    const auto odd = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(d, 1));
    const auto normal = hn::ShiftRight<13>(
        hn::Add(hn::Sub(magnitude, hn::Set(d, 112U << 23)), hn::Add(odd, hn::Set(d, 0xFFF))));
    // Subnormal: adding 0.5 moves the last kept bit of the value to the last bit of the sum, so the
    // addition rounds it.
    const Floats df;
    const auto shifted = hn::BitCast(d, hn::Add(hn::BitCast(df, magnitude), hn::Set(df, 0.5F)));
    const auto subnormal = hn::Sub(shifted, hn::Set(d, 126U << 23));
    const auto overflow = hn::IfThenElse(hn::Gt(magnitude, hn::Set(d, 0x7F800000)),
                                         hn::Set(d, 0x7E00), hn::Set(d, 0x7C00));
    auto result = hn::IfThenElse(hn::Lt(magnitude, hn::Set(d, 113U << 23)), subnormal, normal);
    // 65520 and above round to infinity.
    result = hn::IfThenElse(hn::Lt(magnitude, hn::Set(d, 0x477FF000)), result, overflow);
    return hn::Or(sign, result);
  });
}

void narrow_to_bfloat16(const float* from, std::uint16_t* to, std::size_t count) {
  narrow_all(from, to, count,
             [](auto bits) HWY_ATTR { return bfloat16_bits(hn::BitCast(Floats(), bits)); });
}

void widen_from_float16(const std::uint16_t* from, float* to, std::size_t count) {
  const hn::Rebind<std::uint16_t, Floats> d16;
  for_each_vector(static_cast<std::int64_t>(count), [&](auto part, std::int64_t at) HWY_ATTR {
    part.store(widened(part.load(d16, from + at)), Floats(), to + at);
  });
}

// A bfloat16 is the upper half of a float.
void widen_from_bfloat16(const std::uint16_t* from, float* to, std::size_t count) {
  const hn::Rebind<std::uint16_t, Floats> d16;
  for_each_vector(static_cast<std::int64_t>(count), [&](auto part, std::int64_t at) HWY_ATTR {
    const auto wide = hn::PromoteTo(Words(), part.load(d16, from + at));
    part.store(hn::BitCast(Floats(), hn::ShiftLeft<16>(wide)), Floats(), to + at);
  });
}

float largest_magnitude(const float* values, std::int64_t count) {
  const Floats d;
  const Ints di;
  // Compared as integers, the bits of magnitudes have the same order, and NaN is larger than all
  // numbers.
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

// largest[n] = the bits of the largest magnitude of column n; see above.
void largest_of_columns(const float* from, std::int64_t rows, std::int64_t columns,
                        std::int64_t stride, std::int32_t* largest) {
  const Floats d;
  const Ints di;
  for (std::int64_t row = 0; row < rows; ++row, from += stride) {
    for_each_vector(columns, [&](auto part, std::int64_t at) HWY_ATTR {
      const auto magnitude = hn::BitCast(di, hn::Abs(part.load(d, from + at)));
      part.store(hn::Max(part.load(di, largest + at), magnitude), di, largest + at);
    });
  }
}

void quantize_in_columns(const float* from, std::int64_t rows, std::int64_t columns,
                         std::int64_t stride, const float* scales, std::int8_t* to,
                         std::int32_t* offsets) {
  const Floats d;
  const Ints di;
  const hn::Rebind<std::int8_t, Floats> d8;
  const Vec most = hn::Set(d, 127.0F);
  const auto one = hn::Set(di, 1);
  for (std::int64_t row = 0; row < rows; ++row, from += stride, to += columns) {
    for_each_vector(columns, [&](auto part, std::int64_t at) HWY_ATTR {
      const Vec steps = clip(most, hn::Div(part.load(d, from + at), part.load(d, scales + at, 1)));
      const auto whole = hn::ConvertTo(di, steps);  // towards zero
      const Vec rest = hn::Sub(steps, hn::ConvertTo(d, whole));
      const auto above = hn::RebindMask(di, hn::Ge(rest, hn::Set(d, 0.5F)));
      const auto below = hn::RebindMask(di, hn::Le(rest, hn::Set(d, -0.5F)));
      const auto value =
          hn::Sub(hn::Add(whole, hn::IfThenElseZero(above, one)), hn::IfThenElseZero(below, one));
      part.store(hn::DemoteTo(d8, value), d8, to + at);
      const auto offset = hn::ShiftLeft<7>(value);
      static_assert(kQuantizedZero == 1 << 7);
      part.store(hn::Add(part.load(di, offsets + at), offset), di, offsets + at);
    });
  }
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

void narrow_row(const float* from, std::size_t width, float scale, std::int8_t* to) {
  const Floats d;
  const hn::Rebind<std::int8_t, Floats> d8;
  for_each_vector(static_cast<std::int64_t>(width), [&](auto part, std::int64_t at) HWY_ATTR {
    // Divides instead of multiplying by the reciprocal, so that the result has a simple definition.
    const auto steps = hn::NearestInt(hn::Div(part.load(d, from + at), hn::Set(d, scale)));
    part.store(hn::DemoteTo(d8, steps), d8, to + at);
  });
}

void widen_row(const std::int8_t* from, std::size_t width, float scale, float* to) {
  const Floats d;
  const hn::Rebind<std::int8_t, Floats> d8;
  for_each_vector(static_cast<std::int64_t>(width), [&](auto part, std::int64_t at) HWY_ATTR {
    const Vec steps = hn::ConvertTo(d, hn::PromoteTo(Ints(), part.load(d8, from + at)));
    part.store(hn::Mul(steps, hn::Set(d, scale)), d, to + at);
  });
}

}  // namespace
}  // namespace elmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace elmo {

HWY_EXPORT(narrow_to_float16);
HWY_EXPORT(narrow_to_bfloat16);
HWY_EXPORT(widen_from_float16);
HWY_EXPORT(widen_from_bfloat16);

void to_float16(std::span<const float> from, std::span<std::uint16_t> to) {
  HWY_DYNAMIC_DISPATCH(narrow_to_float16)(from.data(), to.data(), from.size());
}

void from_float16(std::span<const std::uint16_t> from, std::span<float> to) {
  HWY_DYNAMIC_DISPATCH(widen_from_float16)(from.data(), to.data(), from.size());
}

void to_bfloat16(std::span<const float> from, std::span<std::uint16_t> to) {
  HWY_DYNAMIC_DISPATCH(narrow_to_bfloat16)(from.data(), to.data(), from.size());
}

void from_bfloat16(std::span<const std::uint16_t> from, std::span<float> to) {
  HWY_DYNAMIC_DISPATCH(widen_from_bfloat16)(from.data(), to.data(), from.size());
}

HWY_EXPORT(largest_magnitude);
HWY_EXPORT(quantize_row);
HWY_EXPORT(largest_of_columns);
HWY_EXPORT(quantize_in_columns);
HWY_EXPORT(dequantize_row);
HWY_EXPORT(narrow_row);
HWY_EXPORT(widen_row);

void quantize_rows(const float* from, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                   std::uint8_t* to, float* scales) {
  for (std::int64_t row = 0; row < rows; ++row) {
    const float* values = from + row * stride;
    const float largest = HWY_DYNAMIC_DISPATCH(largest_magnitude)(values, columns);
    scales[row] = largest < kMinScaled ? 1.0F : largest / 127.0F;
    HWY_DYNAMIC_DISPATCH(quantize_row)(values, columns, 1.0F / scales[row], to + row * columns);
  }
}

void quantize_columns(const float* from, std::int64_t rows, std::int64_t columns,
                      std::int64_t stride, std::int8_t* to, float* scales, std::int32_t* offsets) {
  AlignedVector<std::int32_t> largest(static_cast<std::size_t>(columns), 0);
  HWY_DYNAMIC_DISPATCH(largest_of_columns)(from, rows, columns, stride, largest.data());
  std::transform(largest.begin(), largest.end(), scales, [](std::int32_t bits) {
    return bits == 0 ? 1.0F : std::bit_cast<float>(bits) / 127.0F;
  });
  std::fill_n(offsets, columns, 0);
  HWY_DYNAMIC_DISPATCH(quantize_in_columns)(from, rows, columns, stride, scales, to, offsets);
}

void dequantize_sums(const std::int32_t* sums, const float* scales, const float* column_scales,
                     const std::int32_t* offsets, std::int64_t rows, std::int64_t columns,
                     float* to) {
  for (std::int64_t row = 0; row < rows; ++row) {
    HWY_DYNAMIC_DISPATCH(dequantize_row)
    (sums + row * columns, scales[row], column_scales, offsets, columns, to + row * columns);
  }
}

void to_scaled_int8(std::span<const float> from, std::size_t width, std::span<std::int8_t> to,
                    std::span<float> scales) {
  for (std::size_t row = 0; row < scales.size(); ++row) {
    const float* values = from.data() + row * width;
    const float largest =
        HWY_DYNAMIC_DISPATCH(largest_magnitude)(values, static_cast<std::int64_t>(width));
    if (largest < kMinScaled) {
      scales[row] = 0.0F;
      std::fill_n(to.data() + row * width, width, std::int8_t{0});
      continue;
    }
    scales[row] = largest / 127.0F;
    HWY_DYNAMIC_DISPATCH(narrow_row)(values, width, scales[row], to.data() + row * width);
  }
}

void from_scaled_int8(std::span<const std::int8_t> from, std::span<const float> scales,
                      std::size_t width, std::span<float> to) {
  for (std::size_t row = 0; row < scales.size(); ++row) {
    const std::size_t begin = row * width;
    HWY_DYNAMIC_DISPATCH(widen_row)
    (from.data() + begin, width, scales[row], to.data() + begin);
  }
}

}  // namespace elmo
#endif
