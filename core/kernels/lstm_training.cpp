#include "core/kernels/lstm_training.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/lstm_training.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elmo::HWY_NAMESPACE {
namespace {

void forward(const LstmForwardStep& step) {
  const Floats d;
  const std::int64_t cells = step.cells;
  const float* bias = step.bias;
  const float cell_clip = step.cell_clip;
  const float forget_offset = step.forget_offset;
  for (std::int64_t row = 0; row < step.rows; ++row) {
    float* gates = step.gates + row * 4 * cells;
    const float* previous_cell = step.previous_cell + row * cells;
    float* cell = step.cell + row * cells;
    float* output = step.output + row * cells;
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

void backward(const LstmBackwardStep& step) {
  const Floats d;
  const std::int64_t cells = step.cells;
  const float cell_clip = step.cell_clip;
  for (std::int64_t row = 0; row < step.rows; ++row) {
    float* gates = step.gates + row * 4 * cells;
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

}  // namespace
}  // namespace elmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace elmo {

HWY_EXPORT(forward);
HWY_EXPORT(backward);

void lstm_forward(const LstmForwardStep& step) { HWY_DYNAMIC_DISPATCH(forward)(step); }

void lstm_backward(const LstmBackwardStep& step) { HWY_DYNAMIC_DISPATCH(backward)(step); }

}  // namespace elmo
#endif
