#include "core/kernels/lstm_gates.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/lstm_gates.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace elmo::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors of at most 16 floats, so that kHiddenGroup is whole vectors on every instruction set.
using Floats = hn::CappedTag<float, kHiddenGroup>;
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

// The sums of gate `gate` for the vector of units at `unit` in row `row`.
HWY_INLINE Vec load_sums(const FloatSums& z, std::int64_t hidden, std::int64_t row, int gate,
                         std::int64_t unit) {
  return hn::LoadU(Floats(), z.sums + (row * 4 + gate) * hidden + unit);
}

HWY_INLINE Vec load_sums(const QuantizedSums& z, std::int64_t hidden, std::int64_t row, int gate,
                         std::int64_t unit) {
  const Floats d;
  const Ints di;
  const std::int64_t column = gate * hidden + unit;
  const std::int64_t place = row * 4 * hidden + column;
  const Vec input = hn::ConvertTo(
      d, hn::Sub(hn::LoadU(di, z.input_sums + place), hn::LoadU(di, z.input_offsets + column)));
  const Vec recurrent = hn::ConvertTo(d, hn::Sub(hn::LoadU(di, z.recurrent_sums + place),
                                                 hn::LoadU(di, z.recurrent_offsets + column)));
  const Vec input_scale =
      hn::Mul(hn::Set(d, z.input_scales[row]), hn::LoadU(d, z.input_column_scales + column));
  const Vec recurrent_scale = hn::Mul(hn::Set(d, z.recurrent_scales[row]),
                                      hn::LoadU(d, z.recurrent_column_scales + column));
  return hn::MulAdd(input, input_scale, hn::Mul(recurrent, recurrent_scale));
}

HWY_INLINE void store_output(Vec value, float* place) { hn::StoreU(value, Floats(), place); }

HWY_INLINE void store_output(Vec value, std::uint16_t* place) {
  const hn::RebindToUnsigned<Floats> du;
  const hn::Rebind<std::uint16_t, Floats> d16;
  const auto bits = hn::BitCast(du, value);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1));
  const auto rounded = hn::ShiftRight<16>(hn::Add(bits, hn::Add(odd, hn::Set(du, 0x7FFF))));
  hn::StoreU(hn::DemoteTo(d16, hn::BitCast(Ints(), rounded)), d16, place);
}

template <typename Sums, typename Output>
HWY_INLINE void gates(const Sums& z, const GateBlock& block) {
  const Floats d;
  const Vec one = hn::Set(d, 1.0F);
  const Vec clip = hn::Set(d, block.cell_clip);
  const std::int64_t hidden = block.hidden;
  for (std::int64_t row = 0; row < block.rows; ++row) {
    float* HWY_RESTRICT cell = block.cell + row * block.cell_stride;
    Output* HWY_RESTRICT output = static_cast<Output*>(block.output) + row * block.output_stride;
    for (std::int64_t unit = 0; unit < hidden; unit += static_cast<std::int64_t>(hn::Lanes(d))) {
      const auto gate = [&](int index) {
        return hn::Add(load_sums(z, hidden, row, index, unit),
                       hn::LoadU(d, block.bias + index * hidden + unit));
      };
      // With e_g = exp(−g): sigmoid(g) = 1/(1+e_g), and tanh(g) = (1−e²_g)/(1+e²_g). Over one
      // common denominator each output costs one division instead of three.
      const Vec input = hn::Add(one, bounded_exp(gate(0), -1.0F));
      const Vec candidate = bounded_exp(gate(1), -2.0F);
      const Vec forget = hn::Add(one, bounded_exp(gate(2), -1.0F));
      const Vec output_gate = hn::Add(one, bounded_exp(gate(3), -1.0F));

      const Vec input_denominator = hn::Mul(input, hn::Add(one, candidate));
      const Vec numerator = hn::MulAdd(hn::LoadU(d, cell + unit), input_denominator,
                                       hn::Mul(hn::Sub(one, candidate), forget));
      Vec c = quotient(numerator, hn::Mul(forget, input_denominator));
      c = hn::Max(hn::Neg(clip), hn::Min(clip, c));
      hn::StoreU(c, d, cell + unit);

      const Vec squashed = bounded_exp(c, -2.0F);
      store_output(quotient(hn::Sub(one, squashed), hn::Mul(output_gate, hn::Add(one, squashed))),
                   output + unit);
    }
  }
}

void float_gates(const FloatSums& z, const GateBlock& block) {
  if (block.bfloat16_output) {
    gates<FloatSums, std::uint16_t>(z, block);
  } else {
    gates<FloatSums, float>(z, block);
  }
}

void quantized_gates(const QuantizedSums& z, const GateBlock& block) {
  gates<QuantizedSums, float>(z, block);
}

}  // namespace
}  // namespace elmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace elmo {

HWY_EXPORT(float_gates);
HWY_EXPORT(quantized_gates);

void lstm_gates(const FloatSums& z, const GateBlock& block) {
  HWY_DYNAMIC_DISPATCH(float_gates)(z, block);
}

void lstm_gates(const QuantizedSums& z, const GateBlock& block) {
  HWY_DYNAMIC_DISPATCH(quantized_gates)(z, block);
}

}  // namespace elmo
#endif
