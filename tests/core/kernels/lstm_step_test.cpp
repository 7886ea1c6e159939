#include "core/kernels/lstm_step.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/kernels/convert.h"
#include "tests/core/kernels/instruction_sets.h"
#include "tests/core/kernels/numbers.h"
#include "tests/reference/equations.h"

namespace elmo {
namespace {

constexpr std::int64_t kTrainedRows = 3;
constexpr float kForgetOffset = 1.0F;
constexpr float kNoClip = std::numeric_limits<float>::infinity();

// One step, computed from the equations.
struct StepByEquations {
  std::int64_t cells;
  double clip;
  DoubleNumbers sums;           // [rows, 4, cells]
  DoubleNumbers bias;           // [4, cells]
  DoubleNumbers previous_cell;  // [rows, cells]
  DoubleNumbers gates = {};
  DoubleNumbers unclipped = {};
  DoubleNumbers cell = {};
  DoubleNumbers output = {};

  void run() {
    gates = sums;
    unclipped = previous_cell;
    cell = previous_cell;
    output = previous_cell;
    for (std::int64_t row = 0; row < kTrainedRows; ++row) {
      for (std::int64_t unit = 0; unit < cells; ++unit) {
        const auto gate = [&](std::int64_t index) -> double& {
          return gates[static_cast<std::size_t>((row * 4 + index) * cells + unit)];
        };
        const auto sum = [&](std::int64_t index) {
          return gate(index) + bias[static_cast<std::size_t>(index * cells + unit)];
        };
        gate(0) = reference_sigmoid(sum(0));
        gate(1) = std::tanh(sum(1));
        gate(2) = reference_sigmoid(sum(2) + double{kForgetOffset});
        gate(3) = reference_sigmoid(sum(3));
        const auto at = static_cast<std::size_t>(row * cells + unit);
        unclipped[at] = gate(2) * previous_cell[at] + gate(0) * gate(1);
        cell[at] = std::clamp(unclipped[at], -clip, clip);
        output[at] = gate(3) * std::tanh(cell[at]);
      }
    }
  }
};

// The same step, computed by the kernels.
struct Kernels {
  std::int64_t cells;
  float clip;
  FloatNumbers gates = normal_numbers(kTrainedRows * 4 * cells, 1.5F, 1);
  FloatNumbers bias = normal_numbers(4 * cells, 0.5F, 2);
  FloatNumbers previous_cell = normal_numbers(kTrainedRows * cells, 1.5F, 3);
  FloatNumbers cell = FloatNumbers(previous_cell.size());
  FloatNumbers output = FloatNumbers(previous_cell.size());
  FloatNumbers output_gradient = normal_numbers(kTrainedRows * cells, 1.0F, 4);
  FloatNumbers cell_gradient = normal_numbers(kTrainedRows * cells, 1.0F, 5);

  StepByEquations expected() const {
    return {cells, double{clip}, widened(gates), widened(bias), widened(previous_cell)};
  }

  void forward() {
    LstmForwardStep step;
    step.rows = kTrainedRows;
    step.cells = cells;
    step.bias = bias.data();
    step.forget_offset = kForgetOffset;
    step.gates = gates.data();
    step.gates_stride = 4 * cells;
    step.previous_cell = previous_cell.data();
    step.cell = cell.data();
    step.output = output.data();
    step.output_stride = cells;
    step.cell_clip = clip;
    lstm_forward(step);
  }

  void backward() {
    LstmBackwardStep step;
    step.rows = kTrainedRows;
    step.cells = cells;
    step.gates = gates.data();
    step.gates_stride = 4 * cells;
    step.previous_cell = previous_cell.data();
    step.cell = cell.data();
    step.output_gradient = output_gradient.data();
    step.cell_gradient = cell_gradient.data();
    step.cell_clip = clip;
    lstm_backward(step);
  }
};

TEST_CASE("an LSTM step in training follows the equations, for any number of cells") {
  for_each_instruction_set([] {
    for (const std::int64_t cells : {1, 7, 16, 37}) {
      for (const float clip : {kNoClip, 0.5F}) {
        CAPTURE(cells);
        CAPTURE(clip);
        Kernels found{cells, clip};
        StepByEquations expected = found.expected();
        expected.run();
        found.forward();
        CHECK(largest_difference(found.gates, expected.gates) < 5e-7);
        CHECK(largest_difference(found.cell, expected.cell) < 2e-6);
        CHECK(largest_difference(found.output, expected.output) < 2e-6);
      }
    }
  });
}

TEST_CASE("an LSTM step's gradient is that of its equations, and stops where a cell was clipped") {
  for_each_instruction_set([] {
    for (const std::int64_t cells : {1, 7, 16, 37}) {
      for (const float clip : {kNoClip, 0.5F}) {
        CAPTURE(cells);
        CAPTURE(clip);
        Kernels found{cells, clip};
        StepByEquations step = found.expected();
        step.run();
        if (cells == 37) {
          const auto clipped = std::count_if(step.cell.begin(), step.cell.end(), [&](double value) {
            return std::fabs(value) >= double{clip};
          });
          CHECK((clip == kNoClip ? clipped == 0 : clipped > 20));
          CHECK(clipped < kTrainedRows * cells - 20);
        }
        // Differences across the edge of the clip would match the gradient of neither side.
        for (const double value : step.unclipped) {
          REQUIRE(std::fabs(std::fabs(value) - double{clip}) > 1e-4);
        }
        const auto loss = [&] {
          step.run();
          double sum = 0;
          for (std::size_t i = 0; i < step.cell.size(); ++i) {
            sum += double{found.output_gradient[i]} * step.output[i];
            sum += double{found.cell_gradient[i]} * step.cell[i];
          }
          return sum;
        };
        const DoubleNumbers sums_gradient = central_differences(step.sums, loss);
        const DoubleNumbers cell_gradient = central_differences(step.previous_cell, loss);
        found.forward();
        found.backward();
        CHECK(largest_difference(found.gates, sums_gradient) < 3e-6);
        CHECK(largest_difference(found.cell_gradient, cell_gradient) < 3e-6);
      }
    }
  });
}

TEST_CASE("gates far beyond saturation stay within their range") {
  for_each_instruction_set([] {
    Kernels found{19, 3.0F};
    for (float& sum : found.gates) sum *= 1e6F;
    found.forward();
    for (const float gate : found.gates) CHECK(std::fabs(gate) <= 1.0000002F);
    for (const float value : found.cell) CHECK(std::fabs(value) <= 3.0F);
    found.backward();
    for (const float gradient : found.gates) CHECK(std::isfinite(gradient));
  });
}

TEST_CASE("a cell's result has the same bits at any position in a vector") {
  for_each_instruction_set([] {
    constexpr std::int64_t kCells = 37;
    Kernels whole{kCells, 0.5F};
    Kernels one{1, 0.5F};
    const Kernels before = whole;
    whole.forward();
    for (std::int64_t unit = 0; unit < kCells; ++unit) {
      for (std::int64_t i = 0; i < kTrainedRows * 4; ++i) {
        one.gates[static_cast<std::size_t>(i)] =
            before.gates[static_cast<std::size_t>(i * kCells + unit)];
      }
      for (std::int64_t i = 0; i < 4; ++i) {
        one.bias[static_cast<std::size_t>(i)] =
            before.bias[static_cast<std::size_t>(i * kCells + unit)];
      }
      for (std::int64_t row = 0; row < kTrainedRows; ++row) {
        one.previous_cell[static_cast<std::size_t>(row)] =
            before.previous_cell[static_cast<std::size_t>(row * kCells + unit)];
      }
      one.forward();
      for (std::int64_t row = 0; row < kTrainedRows; ++row) {
        CHECK(one.output[static_cast<std::size_t>(row)] ==
              whole.output[static_cast<std::size_t>(row * kCells + unit)]);
      }
    }
  });
}

TEST_CASE("a gate that is NaN makes its output NaN") {
  Kernels found{17, 3.0F};
  found.gates[0] = std::numeric_limits<float>::quiet_NaN();
  found.gates[4 * 17 + 16] = std::numeric_limits<float>::quiet_NaN();
  found.forward();
  CHECK(std::isnan(found.output[0]));
  CHECK(std::isnan(found.output[17 + 16]));
  CHECK(std::isfinite(found.output[1]));
}

/// A row computed by the kernels, with its inputs.
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

TEST_CASE("a highway connection and its gradient follow the equation") {
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

constexpr std::int64_t kGateRows = 5;
constexpr std::int64_t kGateCells = 48;
constexpr double kGateTolerance = 5e-7;

struct GateCase {
  std::vector<float> sums = std::vector<float>(kGateRows * 4 * kGateCells);
  std::vector<float> bias = std::vector<float>(4 * kGateCells);
  std::vector<float> cell = std::vector<float>(kGateRows * kGateCells);
  std::vector<float> output = std::vector<float>(kGateRows * kGateCells);

  GateCase(double scale, unsigned seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<float> normal;
    for (float& value : sums) value = normal(generator) * static_cast<float>(scale);
    for (float& value : bias) value = normal(generator);
    for (float& value : cell) value = std::clamp(normal(generator) * 2, -3.0F, 3.0F);
  }

  GateBlock block(float clip) {
    GateBlock result;
    result.rows = kGateRows;
    result.hidden = kGateCells;
    result.bias = bias.data();
    result.cell = cell.data();
    result.cell_stride = kGateCells;
    result.cell_clip = clip;
    result.output = output.data();
    result.output_stride = kGateCells;
    return result;
  }
};

// Returns the largest difference of cell and output from the equations for these gate sums.
double gate_error(const GateCase& before, const GateCase& after, const std::vector<double>& sums,
                  double clip) {
  double largest = 0;
  for (std::int64_t row = 0; row < kGateRows; ++row) {
    for (std::int64_t unit = 0; unit < kGateCells; ++unit) {
      const auto gate = [&](std::int64_t index) {
        const std::int64_t column = index * kGateCells + unit;
        return sums[static_cast<std::size_t>(row * 4 * kGateCells + column)] +
               double{before.bias[static_cast<std::size_t>(column)]};
      };
      const auto place = static_cast<std::size_t>(row * kGateCells + unit);
      const double c = std::clamp(reference_sigmoid(gate(2)) * double{before.cell[place]} +
                                      reference_sigmoid(gate(0)) * std::tanh(gate(1)),
                                  -clip, clip);
      largest = std::max(largest, std::fabs(c - double{after.cell[place]}));
      largest = std::max(largest, std::fabs(reference_sigmoid(gate(3)) * std::tanh(c) -
                                            double{after.output[place]}));
    }
  }
  return largest;
}

TEST_CASE("gates follow the equations, from tiny to saturated sums") {
  for (const double scale : {1e-3, 0.3, 1.0, 5.0, 100.0, 1e6}) {
    for (const float clip : {3.0F, 0.5F, std::numeric_limits<float>::infinity()}) {
      CAPTURE(scale);
      CAPTURE(clip);
      const GateCase before(scale, 3);
      GateCase after = before;
      lstm_gates(FloatSums{after.sums.data()}, after.block(clip));
      const std::vector<double> sums(before.sums.begin(), before.sums.end());
      // Unclipped cells are larger, and so is their rounding.
      CHECK(gate_error(before, after, sums, double{clip}) <
            (clip <= 3.0F ? 1 : 2) * kGateTolerance);
    }
  }
}

TEST_CASE("bfloat16 outputs are the rounded float outputs") {
  GateCase floats(1.0, 4);
  GateCase halves = floats;
  lstm_gates(FloatSums{floats.sums.data()}, floats.block(3.0F));
  std::vector<std::uint16_t> output(kGateRows * kGateCells);
  GateBlock block = halves.block(3.0F);
  block.output = output.data();
  block.bfloat16_output = true;
  lstm_gates(FloatSums{halves.sums.data()}, block);
  for (std::size_t i = 0; i < output.size(); ++i) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(output[i]) << 16);
    CHECK(std::fabs(value - floats.output[i]) <= std::fabs(floats.output[i]) / 256);
  }
}

TEST_CASE("quantized sums are scaled back before the gates") {
  std::mt19937 generator(5);
  const GateCase before(1.0, 6);
  GateCase after = before;
  std::vector<std::int32_t> input(before.sums.size());
  std::vector<std::int32_t> recurrent(before.sums.size());
  for (auto& value : input) value = static_cast<std::int32_t>(generator() % 40000) - 20000;
  for (auto& value : recurrent) value = static_cast<std::int32_t>(generator() % 40000) - 20000;
  std::vector<std::int32_t> input_offsets(4 * kGateCells);
  std::vector<std::int32_t> recurrent_offsets(4 * kGateCells);
  std::vector<float> input_scales(4 * kGateCells);
  std::vector<float> recurrent_scales(4 * kGateCells);
  for (std::size_t i = 0; i < input_offsets.size(); ++i) {
    input_offsets[i] = static_cast<std::int32_t>(i) - 50;
    recurrent_offsets[i] = 30 - static_cast<std::int32_t>(i);
    input_scales[i] = 1e-3F * static_cast<float>(1 + i % 7);
    recurrent_scales[i] = 2e-3F * static_cast<float>(1 + i % 5);
  }
  const std::vector<float> input_rows{0.1F, 0.2F, 0.3F, 0.4F, 0.5F};
  const std::vector<float> recurrent_rows{0.5F, 0.4F, 0.3F, 0.2F, 0.1F};
  QuantizedSums z;
  z.input_sums = input.data();
  z.input_scales = input_rows.data();
  z.input_column_scales = input_scales.data();
  z.input_offsets = input_offsets.data();
  z.recurrent_sums = recurrent.data();
  z.recurrent_scales = recurrent_rows.data();
  z.recurrent_column_scales = recurrent_scales.data();
  z.recurrent_offsets = recurrent_offsets.data();
  lstm_gates(z, after.block(3.0F));

  std::vector<double> sums(before.sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::size_t row = i / (4 * kGateCells);
    const std::size_t column = i % (4 * kGateCells);
    sums[i] = double{input_rows[row]} * double{input_scales[column]} *
                  (input[i] - input_offsets[column]) +
              double{recurrent_rows[row]} * double{recurrent_scales[column]} *
                  (recurrent[i] - recurrent_offsets[column]);
  }
  CHECK(gate_error(before, after, sums, 3.0) < 4 * kGateTolerance);
}

}  // namespace

}  // namespace elmo
