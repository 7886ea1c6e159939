// Vectors of floats over arrays of any size, their exponentials and quotients, for Highway kernels.
// Highway includes this file again for each instruction set, hence the toggled guard.
#if defined(ELMO_CORE_KERNELS_VECTORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ELMO_CORE_KERNELS_VECTORS_INL_H_
#undef ELMO_CORE_KERNELS_VECTORS_INL_H_
#else
#define ELMO_CORE_KERNELS_VECTORS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace elmo::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors of at most 16 floats, so that a group of 16 is a whole number of vectors on every
// instruction set.
using Floats = hn::CappedTag<float, 16>;
using Ints = hn::RebindToSigned<Floats>;
using Words = hn::RebindToUnsigned<Floats>;
using Vec = hn::Vec<Floats>;

// True if hn::Min and hn::Max return their second argument when either is NaN, as x86 instructions
// do. Elsewhere they may return the first.
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
constexpr bool kSecondOfUnordered = true;
#else
constexpr bool kSecondOfUnordered = false;
#endif

// max(x, bound). NaN stays NaN: a bound must not hide it.
HWY_INLINE Vec at_least(Vec bound, Vec x) {
  return kSecondOfUnordered ? hn::Max(bound, x) : hn::IfThenElse(hn::Lt(x, bound), bound, x);
}

// min(x, bound). NaN stays NaN.
HWY_INLINE Vec at_most(Vec bound, Vec x) {
  return kSecondOfUnordered ? hn::Min(bound, x) : hn::IfThenElse(hn::Gt(x, bound), bound, x);
}

// x clipped to ±bound. NaN stays NaN.
HWY_INLINE Vec clip(Vec bound, Vec x) { return at_least(hn::Neg(bound), at_most(bound, x)); }

// max(x, 0). NaN stays NaN.
HWY_INLINE Vec relu(Vec x) { return at_least(hn::Zero(Floats()), x); }

// The larger of two; NaN if either is NaN.
HWY_INLINE Vec larger(Vec a, Vec b) {
  return hn::IfThenElse(hn::Or(hn::Gt(a, b), hn::IsNaN(a)), a, b);
}

// The bits of each value in bfloat16, rounded to even. All NaN become one bit pattern, because
// rounding would turn some of them into numbers.
HWY_INLINE hn::Vec<Words> bfloat16_bits(Vec x) {
  const Words d;
  const auto bits = hn::BitCast(d, x);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(d, 1));
  const auto rounded = hn::ShiftRight<16>(hn::Add(bits, hn::Add(odd, hn::Set(d, 0x7FFF))));
  return hn::IfThenElse(hn::RebindMask(d, hn::IsNaN(x)), hn::Set(d, 0x7FC0), rounded);
}

// Reads and writes a full vector.
struct WholeVector {
  template <typename D>
  HWY_INLINE hn::Vec<D> load(D d, const hn::TFromD<D>* from, hn::TFromD<D> /*rest*/ = 0) const {
    return hn::LoadU(d, from);
  }
  template <typename D>
  HWY_INLINE void store(hn::Vec<D> values, D d, hn::TFromD<D>* to) const {
    hn::StoreU(values, d, to);
  }
};

// Reads and writes the first `count` values of a vector. Other lanes are read as `rest` and not
// written.
struct PartialVector {
  std::int64_t count;

#if HWY_TARGET <= HWY_AVX3
  // Masks access no memory past the last value.
  template <typename D>
  HWY_INLINE hn::Vec<D> load(D d, const hn::TFromD<D>* from, hn::TFromD<D> rest = 0) const {
    const auto mask = hn::FirstN(d, static_cast<std::size_t>(count));
    return hn::IfThenElse(mask, hn::MaskedLoad(mask, d, from), hn::Set(d, rest));
  }
  template <typename D>
  HWY_INLINE void store(hn::Vec<D> values, D d, hn::TFromD<D>* to) const {
    hn::BlendedStore(values, hn::FirstN(d, static_cast<std::size_t>(count)), d, to);
  }
#else
  template <typename D>
  HWY_INLINE hn::Vec<D> load(D d, const hn::TFromD<D>* from, hn::TFromD<D> rest = 0) const {
    HWY_ALIGN hn::TFromD<D> copy[16];
    std::fill(copy, copy + 16, rest);
    std::copy(from, from + count, copy);
    return hn::Load(d, copy);
  }
  template <typename D>
  HWY_INLINE void store(hn::Vec<D> values, D d, hn::TFromD<D>* to) const {
    HWY_ALIGN hn::TFromD<D> copy[16];
    hn::Store(values, d, copy);
    std::copy(copy, copy + count, to);
  }
#endif
};

// Calls body(access, at) for each vector of an array of `size` values; the last may be partial. A
// value's result does not depend on its position in a vector.
template <typename Body>
HWY_INLINE void for_each_vector(std::int64_t size, Body body) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Floats()));
  std::int64_t at = 0;
  for (; at + lanes <= size; at += lanes) body(WholeVector(), at);
  if (at < size) body(PartialVector{size - at}, at);
}

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
