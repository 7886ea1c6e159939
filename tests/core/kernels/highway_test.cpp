#include "core/kernels/highway.h"

#include <doctest/doctest.h>

#include "tests/core/kernels/instruction_sets.h"
#include "tests/core/kernels/numbers.h"
#include "tests/reference/equations.h"

namespace elmo {
namespace {

constexpr std::int64_t kHighwayRows = 3;
constexpr std::int64_t kBetween = 5;  // numbers between the rows of sums

/// Rows by the kernels, and what they were given.
struct HighwayRows {
  HighwayRows(std::int64_t cell_count, bool masked)
      : cells(cell_count), stride(2 * cell_count + kBetween) {
    if (masked) mask = normal_numbers(kHighwayRows * cells, 1.0F, 4);
  }

  void forward() {
    HighwayForwardStep step;
    step.rows = kHighwayRows;
    step.cells = cells;
    step.bias = bias.data();
    step.sums = sums.data();
    step.sums_stride = stride;
    step.layer = layer.data();
    step.mask = mask.empty() ? nullptr : mask.data();
    step.output = output.data();
    highway_forward(step);
  }

  void backward() {
    HighwayBackwardStep step;
    step.rows = kHighwayRows;
    step.cells = cells;
    step.sums = sums.data();
    step.sums_stride = stride;
    step.layer = layer.data();
    step.mask = mask.empty() ? nullptr : mask.data();
    step.gradient = gradient.data();
    highway_backward(step);
  }

  std::int64_t cells;
  std::int64_t stride;
  FloatNumbers sums = normal_numbers(kHighwayRows * stride, 1.5F, 1);
  FloatNumbers bias = normal_numbers(2 * cells, 0.5F, 2);
  FloatNumbers layer = normal_numbers(kHighwayRows * cells, 1.0F, 3);
  FloatNumbers mask;
  FloatNumbers output = FloatNumbers(layer.size());
  FloatNumbers gradient = normal_numbers(kHighwayRows * cells, 1.0F, 5);
};

DoubleNumbers highway_by_equations(const HighwayRows& rows, const DoubleNumbers& sums,
                                   const DoubleNumbers& layer) {
  DoubleNumbers output;
  for (std::int64_t row = 0; row < kHighwayRows; ++row) {
    for (std::int64_t unit = 0; unit < rows.cells; ++unit) {
      const auto sum = [&](std::int64_t which) {
        const std::int64_t column = which * rows.cells + unit;
        return sums[static_cast<std::size_t>(row * rows.stride + column)] +
               double{rows.bias[static_cast<std::size_t>(column)]};
      };
      const auto at = static_cast<std::size_t>(row * rows.cells + unit);
      const double r = reference_sigmoid(sum(0));
      const double mixed = r * layer[at] + (1.0 - r) * sum(1);
      output.push_back(mixed * (rows.mask.empty() ? 1.0 : double{rows.mask[at]}));
    }
  }
  return output;
}

TEST_CASE("a highway connection follows its equation, and its gradient that") {
  for_each_instruction_set([] {
    for (const std::int64_t cells : {1, 7, 16, 37}) {
      for (const bool masked : {false, true}) {
        CAPTURE(cells);
        CAPTURE(masked);
        HighwayRows found(cells, masked);
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
        const FloatNumbers before = found.sums;
        found.forward();
        CHECK(largest_difference(found.output, highway_by_equations(found, sums, layer)) < 2e-6);
        found.backward();
        CHECK(largest_difference(found.gradient, layer_gradient) < 3e-6);
        for (std::size_t i = 0; i < found.sums.size(); ++i) {
          const auto column = static_cast<std::int64_t>(i) % found.stride;
          if (column < 2 * cells) {
            CHECK(double{found.sums[i]} == doctest::Approx(sums_gradient[i]).epsilon(1e-4));
          } else {
            CHECK(found.sums[i] == before[i]);
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace elmo
