#include "core/kernels/highway.h"

#include <doctest/doctest.h>

#include "tests/core/kernels/instruction_sets.h"
#include "tests/core/kernels/numbers.h"
#include "tests/reference/equations.h"

namespace elmo {
namespace {

/// A row by the kernels, and what they were given.
struct HighwayRow {
  HighwayRow(std::int64_t cell_count, bool masked) : cells(cell_count) {
    if (masked) mask = normal_numbers(cells, 1.0F, 4);
  }

  void forward() {
    HighwayForwardStep step;
    step.cells = cells;
    step.bias = bias.data();
    step.sums = sums.data();
    step.layer = layer.data();
    step.mask = mask.empty() ? nullptr : mask.data();
    step.output = output.data();
    highway_forward(step);
  }

  void backward() {
    HighwayBackwardStep step;
    step.cells = cells;
    step.sums = sums.data();
    step.layer = layer.data();
    step.mask = mask.empty() ? nullptr : mask.data();
    step.gradient = gradient.data();
    highway_backward(step);
  }

  std::int64_t cells;
  FloatNumbers sums = normal_numbers(2 * cells, 1.5F, 1);
  FloatNumbers bias = normal_numbers(2 * cells, 0.5F, 2);
  FloatNumbers layer = normal_numbers(cells, 1.0F, 3);
  FloatNumbers mask;
  FloatNumbers output = FloatNumbers(layer.size());
  FloatNumbers gradient = normal_numbers(cells, 1.0F, 5);
};

DoubleNumbers highway_by_equations(const HighwayRow& row, const DoubleNumbers& sums,
                                   const DoubleNumbers& layer) {
  DoubleNumbers output;
  const auto cells = static_cast<std::size_t>(row.cells);
  for (std::size_t unit = 0; unit < cells; ++unit) {
    const double r = reference_sigmoid(sums[unit] + double{row.bias[unit]});
    const double carry = sums[cells + unit] + double{row.bias[cells + unit]};
    const double mixed = r * layer[unit] + (1.0 - r) * carry;
    output.push_back(mixed * (row.mask.empty() ? 1.0 : double{row.mask[unit]}));
  }
  return output;
}

TEST_CASE("a highway connection follows its equation, and its gradient that") {
  for_each_instruction_set([] {
    for (const std::int64_t cells : {1, 7, 16, 37}) {
      for (const bool masked : {false, true}) {
        CAPTURE(cells);
        CAPTURE(masked);
        HighwayRow found(cells, masked);
        DoubleNumbers sums = widened(found.sums);
        DoubleNumbers layer = widened(found.layer);
        const FloatNumbers weights = found.gradient;
        const auto loss = [&] {
          const DoubleNumbers output = highway_by_equations(found, sums, layer);
          double sum = 0.0;
          for (std::size_t i = 0; i < output.size(); ++i) sum += double{weights[i]} * output[i];
          return sum;
        };
        const DoubleNumbers sums_gradient = central_differences(sums, loss);
        const DoubleNumbers layer_gradient = central_differences(layer, loss);
        found.forward();
        CHECK(largest_difference(found.output, highway_by_equations(found, sums, layer)) < 2e-6);
        found.backward();
        CHECK(largest_difference(found.gradient, layer_gradient) < 3e-6);
        for (std::size_t i = 0; i < found.sums.size(); ++i) {
          CHECK(double{found.sums[i]} == doctest::Approx(sums_gradient[i]).epsilon(1e-4));
        }
      }
    }
  });
}

}  // namespace
}  // namespace elmo
