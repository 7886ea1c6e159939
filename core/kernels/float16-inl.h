// Conversion of float16 to float, for Highway kernels. Highway includes this file again for each
// instruction set, hence the toggled guard.
#if defined(ELMO_CORE_KERNELS_FLOAT16_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ELMO_CORE_KERNELS_FLOAT16_INL_H_
#undef ELMO_CORE_KERNELS_FLOAT16_INL_H_
#else
#define ELMO_CORE_KERNELS_FLOAT16_INL_H_
#endif

#include <hwy/highway.h>

#include "core/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elmo::HWY_NAMESPACE {
namespace {

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2 && !defined(HWY_DISABLE_F16C)
// Converts exactly, with one instruction.
HWY_INLINE Vec widened(hn::Vec<hn::Rebind<std::uint16_t, Floats>> half) {
  const hn::Rebind<hwy::float16_t, Floats> d16;
  return hn::PromoteTo(Floats(), hn::BitCast(d16, half));
}
#else
// With exponent and fraction shifted into position, a value is 2^112 times too small, subnormal
// ones included. Values with the largest exponent are infinities or NaN.
HWY_INLINE Vec widened(hn::Vec<hn::Rebind<std::uint16_t, Floats>> half) {
  const Words d;
  const Floats df;
  const auto wide = hn::PromoteTo(d, half);
  const auto sign = hn::ShiftLeft<16>(hn::And(wide, hn::Set(d, 0x8000)));
  const auto moved = hn::ShiftLeft<13>(hn::And(wide, hn::Set(d, 0x7FFF)));
  const auto finite = hn::BitCast(d, hn::Mul(hn::BitCast(df, moved), hn::Set(df, 0x1p112F)));
  const auto other = hn::Or(moved, hn::Set(d, 0x7F800000));
  const auto is_finite = hn::Lt(moved, hn::Set(d, 0x7C00U << 13));
  return hn::BitCast(df, hn::Or(sign, hn::IfThenElse(is_finite, finite, other)));
}
#endif

}  // namespace
}  // namespace elmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
