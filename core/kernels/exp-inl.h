// Exponentials and quotients of vectors of floats, for kernels that Highway compiles once for each
// instruction set: included again for each of them, which is what the guard is about.
#if defined(ELMO_CORE_KERNELS_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ELMO_CORE_KERNELS_EXP_INL_H_
#undef ELMO_CORE_KERNELS_EXP_INL_H_
#else
#define ELMO_CORE_KERNELS_EXP_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace elmo::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors of at most 16 floats, so that a group of 16 is whole vectors on every instruction set.
using Floats = hn::CappedTag<float, 16>;
using Ints = hn::RebindToSigned<Floats>;
using Vec = hn::Vec<Floats>;

// Beyond this an exponential is as good as 0 or infinite for a sigmoid, and products of three stay
// within float32.
constexpr float kLargestExponent = 28.0F;

// exp(x · factor), the exponent held to ±kLargestExponent. exp(y) = 2^n · 2^r with n whole; 2^r on
// [−½, ½] by the polynomial of degree 5 with the least relative error (1e-7) and p(0) = 1.
HWY_INLINE Vec bounded_exp(Vec x, float factor) {
  const Floats d;
  const Ints di;
  constexpr float kLog2E = 1.44269504088896F;
  const Vec bound = hn::Set(d, kLargestExponent * kLog2E);
  const Vec y = hn::Max(hn::Neg(bound), hn::Min(bound, hn::Mul(x, hn::Set(d, factor * kLog2E))));
  // Adding 1.5·2^23 rounds to a whole number and leaves it in the low bits of the sum.
  const Vec magic = hn::Set(d, 12582912.0F);
  const Vec shifted = hn::Add(y, magic);
  const Vec r = hn::Sub(y, hn::Sub(shifted, magic));
  Vec p = hn::Set(d, 1.326472731e-3F);
  p = hn::MulAdd(p, r, hn::Set(d, 9.671512991e-3F));
  p = hn::MulAdd(p, r, hn::Set(d, 5.550733581e-2F));
  p = hn::MulAdd(p, r, hn::Set(d, 2.402224243e-1F));
  p = hn::MulAdd(p, r, hn::Set(d, 6.931470037e-1F));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0F));
  return hn::BitCast(d, hn::Add(hn::BitCast(di, p), hn::ShiftLeft<23>(hn::BitCast(di, shifted))));
}

// numerator / denominator, to about one unit in the last place. Divisions of wide vectors take many
// times as long as a product, and two of them would be a third of a step's gates.
HWY_INLINE Vec quotient(Vec numerator, Vec denominator) {
#if HWY_ARCH_X86
  const Floats d;
  const Vec estimate = hn::ApproximateReciprocal(denominator);  // 12 or 14 bits
  const Vec error = hn::NegMulAdd(denominator, estimate, hn::Set(d, 1.0F));
  return hn::Mul(numerator, hn::MulAdd(estimate, error, estimate));  // Newton's step doubles them
#else
  return hn::Div(numerator, denominator);
#endif
}

}  // namespace
}  // namespace elmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggled guard
