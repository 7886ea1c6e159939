// Vectors of floats over arrays of any size, for Highway kernels. Highway includes this file again
// for each instruction set, hence the toggled guard.
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

}  // namespace
}  // namespace elmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggled guard
