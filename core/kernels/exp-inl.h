// Exponentials and quotients of vectors of floats, for Highway kernels. Highway includes this file
// again for each instruction set, hence the toggled guard.
#if defined(ELMO_CORE_KERNELS_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ELMO_CORE_KERNELS_EXP_INL_H_
#undef ELMO_CORE_KERNELS_EXP_INL_H_
#else
#define ELMO_CORE_KERNELS_EXP_INL_H_
#endif

#include <hwy/highway.h>

#include "core/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elmo::HWY_NAMESPACE {
namespace {

// Beyond this exponent, a sigmoid equals 0 or 1 within its error. The product of three such
// exponentials stays within float32.
constexpr float kLargestExponent = 28.0F;

constexpr float kLog2E = 1.44269504088896F;

// Returns 2^y for |y| ≤ 126, as 2^n · 2^r with an integer n. 2^r on [−½, ½] is the polynomial of
// degree 5 with p(0) = 1 and the least relative error (1e-7). NaN stays NaN.
HWY_INLINE Vec power_of_two(Vec y) {
  const Floats d;
  const Ints di;
  // Adding 1.5·2^23 rounds to an integer in the low bits of the sum. 127 is the bias of stored
  // exponents.
  const Vec magic = hn::Set(d, 12582912.0F + 127.0F);
  const Vec shifted = hn::Add(y, magic);
  const Vec r = hn::Sub(y, hn::Sub(shifted, magic));
  Vec p = hn::Set(d, 1.326472731e-3F);
  p = hn::MulAdd(p, r, hn::Set(d, 9.671512991e-3F));
  p = hn::MulAdd(p, r, hn::Set(d, 5.550733581e-2F));
  p = hn::MulAdd(p, r, hn::Set(d, 2.402224243e-1F));
  p = hn::MulAdd(p, r, hn::Set(d, 6.931470037e-1F));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0F));
  return hn::Mul(p, hn::BitCast(d, hn::ShiftLeft<23>(hn::BitCast(di, shifted))));
}

// Returns exp(x · factor), with the exponent clipped to ±kLargestExponent.
HWY_INLINE Vec bounded_exp(Vec x, float factor) {
  const Floats d;
  const Vec bound = hn::Set(d, kLargestExponent * kLog2E);
  return power_of_two(clip(bound, hn::Mul(x, hn::Set(d, factor * kLog2E))));
}

// Returns exp(x) for x ≤ 0; 0 if that would be subnormal, and for −infinity.
HWY_INLINE Vec exp_of_negative(Vec x) {
  const Floats d;
  const Vec least = hn::Set(d, -126.0F);
  const Vec y = hn::Mul(x, hn::Set(d, kLog2E));
  return hn::IfThenZeroElse(hn::Lt(y, least), power_of_two(at_least(least, y)));
}

// Returns numerator / denominator, accurate to about one unit in the last place. A division of wide
// vectors takes many times as long as a product; two of them would take a third of the time of a
// step's gates.
HWY_INLINE Vec quotient(Vec numerator, Vec denominator) {
#if HWY_ARCH_X86
  const Floats d;
  const Vec estimate = hn::ApproximateReciprocal(denominator);  // 12 or 14 bits
  const Vec error = hn::NegMulAdd(denominator, estimate, hn::Set(d, 1.0F));
  return hn::Mul(numerator, hn::MulAdd(estimate, error, estimate));  // a Newton step doubles the
                                                                     // bits
#else
  return hn::Div(numerator, denominator);
#endif
}

// Absolute error about 1e-7.
HWY_INLINE Vec sigmoid(Vec x) {
  const Vec one = hn::Set(Floats(), 1.0F);
  return quotient(one, hn::Add(one, bounded_exp(x, -1.0F)));
}

// Absolute error about 1e-7.
HWY_INLINE Vec hyperbolic_tangent(Vec x) {
  const Vec one = hn::Set(Floats(), 1.0F);
  const Vec e = bounded_exp(x, -2.0F);
  return quotient(hn::Sub(one, e), hn::Add(one, e));
}

}  // namespace
}  // namespace elmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggled guard
