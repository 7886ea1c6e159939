#include "core/kernels/lstm_gates.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/lstm_gates.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elmo::HWY_NAMESPACE {
namespace {

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
  const std::int64_t offset = row * 4 * hidden + column;
  const Vec input = hn::ConvertTo(
      d, hn::Sub(hn::LoadU(di, z.input_sums + offset), hn::LoadU(di, z.input_offsets + column)));
  const Vec recurrent = hn::ConvertTo(d, hn::Sub(hn::LoadU(di, z.recurrent_sums + offset),
                                                 hn::LoadU(di, z.recurrent_offsets + column)));
  const Vec input_scale =
      hn::Mul(hn::Set(d, z.input_scales[row]), hn::LoadU(d, z.input_column_scales + column));
  const Vec recurrent_scale = hn::Mul(hn::Set(d, z.recurrent_scales[row]),
                                      hn::LoadU(d, z.recurrent_column_scales + column));
  return hn::MulAdd(input, input_scale, hn::Mul(recurrent, recurrent_scale));
}

HWY_INLINE void store_output(Vec value, float* to) { hn::StoreU(value, Floats(), to); }

HWY_INLINE void store_output(Vec value, std::uint16_t* to) {
  const hn::Rebind<std::uint16_t, Floats> d16;
  hn::StoreU(hn::DemoteTo(d16, hn::BitCast(Ints(), bfloat16_bits(value))), d16, to);
}

template <typename Sums, typename Output>
HWY_INLINE void gates(const Sums& z, const GateBlock& block) {
  const Floats d;
  const Vec one = hn::Set(d, 1.0F);
  const Vec bound = hn::Set(d, block.cell_clip);
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
      c = clip(bound, c);
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
