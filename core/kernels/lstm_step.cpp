#include "core/kernels/lstm_step.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/lstm_step.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/vectors-inl.h"

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

// Number of vectors of units that go through each step below together. A step is a chain of
// dependent operations. A processor overlaps several such chains if they are short.
constexpr std::int64_t kStepVectors = 8;
constexpr std::int64_t kStepUnits = kStepVectors * 16;

// Computes e[unit] = exp(factor · gate) for `count` units from `first` on.
template <typename Sums>
HWY_INLINE void gate_exponentials(const Sums z, const GateBlock& block, std::int64_t row, int gate,
                                  std::int64_t first, std::int64_t count, float factor, float* e) {
  const Floats d;
  const std::int64_t hidden = block.hidden;
  const float* bias = block.bias + gate * hidden + first;
  for (std::int64_t at = 0; at < count; at += static_cast<std::int64_t>(hn::Lanes(d))) {
    const Vec sum = hn::Add(load_sums(z, hidden, row, gate, first + at), hn::LoadU(d, bias + at));
    hn::Store(bounded_exp(sum, factor), d, e + at);
  }
}

template <typename Sums, typename Output>
HWY_INLINE void gates(const Sums& z, const GateBlock& block) {
  const Floats d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const Vec one = hn::Set(d, 1.0F);
  const Vec bound = hn::Set(d, block.cell_clip);
  HWY_ALIGN float inputs[kStepUnits];
  HWY_ALIGN float candidates[kStepUnits];
  HWY_ALIGN float forgets[kStepUnits];
  HWY_ALIGN float outputs[kStepUnits];
  for (std::int64_t row = 0; row < block.rows; ++row) {
    for (std::int64_t first = 0; first < block.hidden; first += kStepUnits) {
      const std::int64_t count = std::min(kStepUnits, block.hidden - first);
      float* HWY_RESTRICT cell = block.cell + row * block.cell_stride + first;
      Output* HWY_RESTRICT output =
          static_cast<Output*>(block.output) + row * block.output_stride + first;
      gate_exponentials(z, block, row, 0, first, count, -1.0F, inputs);
      gate_exponentials(z, block, row, 1, first, count, -2.0F, candidates);
      gate_exponentials(z, block, row, 2, first, count, -1.0F, forgets);
      gate_exponentials(z, block, row, 3, first, count, -1.0F, outputs);
      // With e_g = exp(−g): sigmoid(g) = 1/(1+e_g) and tanh(g) = (1−e²_g)/(1+e²_g). With a common
      // denominator, each output costs one division instead of three.
      for (std::int64_t at = 0; at < count; at += lanes) {
        const Vec candidate = hn::Load(d, candidates + at);
        const Vec forget = hn::Add(one, hn::Load(d, forgets + at));
        const Vec input_denominator =
            hn::Mul(hn::Add(one, hn::Load(d, inputs + at)), hn::Add(one, candidate));
        const Vec numerator = hn::MulAdd(hn::LoadU(d, cell + at), input_denominator,
                                         hn::Mul(hn::Sub(one, candidate), forget));
        const Vec c = clip(bound, quotient(numerator, hn::Mul(forget, input_denominator)));
        hn::StoreU(c, d, cell + at);
      }
      for (std::int64_t at = 0; at < count; at += lanes) {
        const Vec squashed = bounded_exp(hn::LoadU(d, cell + at), -2.0F);
        const Vec output_gate = hn::Add(one, hn::Load(d, outputs + at));
        store_output(quotient(hn::Sub(one, squashed), hn::Mul(output_gate, hn::Add(one, squashed))),
                     output + at);
      }
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

void lstm_step(const LstmForwardStep& step) {
  const Floats d;
  const std::int64_t cells = step.cells;
  const float* bias = step.bias;
  const float cell_clip = step.cell_clip;
  const float forget_offset = step.forget_offset;
  for (std::int64_t row = 0; row < step.rows; ++row) {
    float* gates = step.gates + row * step.gates_stride;
    const float* previous_cell = step.previous_cell + row * cells;
    float* cell = step.cell + row * cells;
    float* output = step.output + row * step.output_stride;
    for_each_vector(cells, [&](auto part, std::int64_t at) HWY_ATTR {
      const auto sum = [&](std::int64_t gate) HWY_ATTR {
        return hn::Add(part.load(d, gates + gate * cells + at),
                       part.load(d, bias + gate * cells + at));
      };
      const auto keep = [&](std::int64_t gate, Vec value)
                            HWY_ATTR { part.store(value, d, gates + gate * cells + at); };
      const Vec i = sigmoid(sum(0));
      const Vec j = hyperbolic_tangent(sum(1));
      const Vec f = sigmoid(hn::Add(sum(2), hn::Set(d, forget_offset)));
      const Vec o = sigmoid(sum(3));
      keep(0, i);
      keep(1, j);
      keep(2, f);
      keep(3, o);
      const Vec unclipped = hn::MulAdd(f, part.load(d, previous_cell + at), hn::Mul(i, j));
      const Vec c = clip(hn::Set(d, cell_clip), unclipped);
      part.store(c, d, cell + at);
      part.store(hn::Mul(o, hyperbolic_tangent(c)), d, output + at);
    });
  }
}

void lstm_step_backward(const LstmBackwardStep& step) {
  const Floats d;
  const std::int64_t cells = step.cells;
  const float cell_clip = step.cell_clip;
  for (std::int64_t row = 0; row < step.rows; ++row) {
    float* gates = step.gates + row * step.gates_stride;
    const float* previous_cell = step.previous_cell + row * cells;
    const float* cell = step.cell + row * cells;
    const float* output_gradient = step.output_gradient + row * cells;
    float* cell_gradient = step.cell_gradient + row * cells;
    for_each_vector(cells, [&](auto part, std::int64_t at) HWY_ATTR {
      const auto gate = [&](std::int64_t index)
                            HWY_ATTR { return part.load(d, gates + index * cells + at); };
      const auto keep = [&](std::int64_t index, Vec value)
                            HWY_ATTR { part.store(value, d, gates + index * cells + at); };
      const Vec one = hn::Set(d, 1.0F);
      const Vec i = gate(0);
      const Vec j = gate(1);
      const Vec f = gate(2);
      const Vec o = gate(3);
      const Vec c = part.load(d, cell + at);
      const Vec squashed = hyperbolic_tangent(c);
      const Vec h_gradient = part.load(d, output_gradient + at);
      // The gradient through h = o · tanh(c) and from the next step; none through the clip.
      const Vec o_part = hn::Mul(h_gradient, o);
      const Vec unclipped = hn::MulAdd(o_part, hn::NegMulAdd(squashed, squashed, one),
                                       part.load(d, cell_gradient + at));
      const Vec c_gradient =
          hn::IfThenZeroElse(hn::Ge(hn::Abs(c), hn::Set(d, cell_clip)), unclipped);
      // sigmoid' = s(1 − s), tanh' = 1 − t².
      const Vec i_part = hn::Mul(c_gradient, i);
      const Vec f_part = hn::Mul(c_gradient, f);
      keep(0, hn::Mul(hn::Mul(i_part, j), hn::Sub(one, i)));
      keep(1, hn::Mul(i_part, hn::NegMulAdd(j, j, one)));
      keep(2, hn::Mul(hn::Mul(f_part, part.load(d, previous_cell + at)), hn::Sub(one, f)));
      keep(3, hn::Mul(hn::Mul(o_part, squashed), hn::Sub(one, o)));
      part.store(f_part, d, cell_gradient + at);
    });
  }
}

void highway_step(const HighwayForwardStep& step) {
  const Floats d;
  const std::int64_t cells = step.cells;
  for_each_vector(cells, [&](auto part, std::int64_t at) HWY_ATTR {
    float* sums = step.sums + at;
    const Vec r = sigmoid(hn::Add(part.load(d, sums), part.load(d, step.bias + at)));
    const Vec carry = hn::Add(part.load(d, sums + cells), part.load(d, step.bias + cells + at));
    part.store(r, d, sums);
    part.store(carry, d, sums + cells);
    const Vec mixed = hn::MulAdd(r, hn::Sub(part.load(d, step.layer + at), carry), carry);
    part.store(step.mask == nullptr ? mixed : hn::Mul(mixed, part.load(d, step.mask + at)), d,
               step.output + at);
  });
}

void highway_step_backward(const HighwayBackwardStep& step) {
  const Floats d;
  const std::int64_t cells = step.cells;
  for_each_vector(cells, [&](auto part, std::int64_t at) HWY_ATTR {
    float* sums = step.sums + at;
    float* gradient = step.gradient + at;
    const Vec r = part.load(d, sums);
    const Vec carry = part.load(d, sums + cells);
    const Vec unmasked = part.load(d, gradient);
    const Vec mixed =
        step.mask == nullptr ? unmasked : hn::Mul(unmasked, part.load(d, step.mask + at));
    const Vec kept = hn::Sub(hn::Set(d, 1.0F), r);
    const Vec layer_part = hn::Mul(mixed, r);
    const Vec difference = hn::Sub(part.load(d, step.layer + at), carry);
    part.store(hn::Mul(hn::Mul(layer_part, kept), difference), d, sums);
    part.store(hn::Mul(mixed, kept), d, sums + cells);
    part.store(layer_part, d, gradient);
  });
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

HWY_EXPORT(lstm_step);
HWY_EXPORT(lstm_step_backward);

void lstm_forward(const LstmForwardStep& step) { HWY_DYNAMIC_DISPATCH(lstm_step)(step); }

void lstm_backward(const LstmBackwardStep& step) { HWY_DYNAMIC_DISPATCH(lstm_step_backward)(step); }

HWY_EXPORT(highway_step);
HWY_EXPORT(highway_step_backward);

void highway_forward(const HighwayForwardStep& step) { HWY_DYNAMIC_DISPATCH(highway_step)(step); }

void highway_backward(const HighwayBackwardStep& step) {
  HWY_DYNAMIC_DISPATCH(highway_step_backward)(step);
}

}  // namespace elmo
#endif
