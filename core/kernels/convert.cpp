#include "core/kernels/convert.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/convert.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/float16-inl.h"
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

}  // namespace elmo
#endif
