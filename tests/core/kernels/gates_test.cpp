#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/error.h"
#include "core/kernels/convert.h"
#include "core/kernels/lstm_step.h"
#include "core/kernels/packed_matrix.h"
#include "core/kernels/precision.h"
#include "core/kernels/product.h"
#include "tests/reference/equations.h"

namespace elmo {
namespace {

constexpr std::int64_t kGateRows = 5;
constexpr std::int64_t kGateCells = 48;
constexpr double kGateTolerance = 5e-7;

struct Case {
  std::vector<float> sums = std::vector<float>(kGateRows * 4 * kGateCells);
  std::vector<float> bias = std::vector<float>(4 * kGateCells);
  std::vector<float> cell = std::vector<float>(kGateRows * kGateCells);
  std::vector<float> output = std::vector<float>(kGateRows * kGateCells);

  Case(double scale, unsigned seed) {
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

// The largest difference of cell and output from the equations for these gate sums.
double error(const Case& before, const Case& after, const std::vector<double>& sums, double clip) {
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

TEST_CASE("gates are those of the equations, from tiny to saturated sums") {
  for (const double scale : {1e-3, 0.3, 1.0, 5.0, 100.0, 1e6}) {
    for (const float clip : {3.0F, 0.5F, std::numeric_limits<float>::infinity()}) {
      CAPTURE(scale);
      CAPTURE(clip);
      const Case before(scale, 3);
      Case after = before;
      lstm_gates(FloatSums{after.sums.data()}, after.block(clip));
      const std::vector<double> sums(before.sums.begin(), before.sums.end());
      // Unclipped cells are larger, and so are their last bits.
      CHECK(error(before, after, sums, double{clip}) < (clip <= 3.0F ? 1 : 2) * kGateTolerance);
    }
  }
}

TEST_CASE("bfloat16 outputs are the rounded float outputs") {
  Case floats(1.0, 4);
  Case halves = floats;
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
  const Case before(1.0, 6);
  Case after = before;
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
  CHECK(error(before, after, sums, 3.0) < 4 * kGateTolerance);
}

TEST_CASE("products of every precision are those of plain sums, row by row") {
  std::mt19937 generator(7);
  std::normal_distribution<float> normal;
  const std::int64_t inner = 96;
  const std::int64_t columns = 64;
  std::vector<float> weights(static_cast<std::size_t>(inner * columns));
  for (float& value : weights) value = normal(generator) * 0.1F;
  GemmWorkspace workspace;
  for (const std::int64_t rows : {1, 3, 7, 33, 130}) {
    const std::int64_t padded = GemmWorkspace::padded_rows(rows);
    REQUIRE(padded >= rows);
    AlignedVector<float> a(static_cast<std::size_t>(padded * inner), 0.0F);
    for (std::int64_t i = 0; i < rows * inner; ++i)
      a[static_cast<std::size_t>(i)] = normal(generator);
    std::vector<double> expected(static_cast<std::size_t>(rows * columns));
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t n = 0; n < columns; ++n) {
        double& sum = expected[static_cast<std::size_t>(row * columns + n)];
        for (std::int64_t k = 0; k < inner; ++k) {
          sum += double{a[static_cast<std::size_t>(row * inner + k)]} *
                 double{weights[static_cast<std::size_t>(k * columns + n)]};
        }
      }
    }
    const auto largest_error = [&](const float* found) {
      double largest = 0;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        largest = std::max(largest, std::fabs(expected[i] - double{found[i]}));
      }
      return largest;
    };

    const PackedMatrix packed(weights.data(), inner, columns, columns, Precision::float32);
    AlignedVector<float> c(static_cast<std::size_t>(padded * columns));
    workspace.multiply(a.data(), packed, c.data(), rows, false);
    CHECK(largest_error(c.data()) < 1e-5);
    workspace.multiply(a.data(), packed, c.data(), rows, true);
    for (float& value : c) value /= 2;
    CHECK(largest_error(c.data()) < 1e-5);

    if (is_supported(Precision::int8)) {
      const PackedMatrix quantized(weights.data(), inner, columns, columns, Precision::int8);
      AlignedVector<std::uint8_t> bytes(a.size(), 0);
      std::vector<float> scales(static_cast<std::size_t>(padded), 0.0F);
      quantize_rows(a.data(), rows, inner, inner, bytes.data(), scales.data());
      AlignedVector<std::int32_t> sums(c.size());
      workspace.multiply(bytes.data(), quantized, sums.data(), rows, false);
      dequantize_sums(sums.data(), scales.data(), quantized.scales().data(),
                      quantized.offsets().data(), rows, columns, c.data());
      CHECK(largest_error(c.data()) < 0.05);
    }
  }
}

TEST_CASE("an int8 matrix whose sums could outgrow 32 bits is refused") {
  if (!is_supported(Precision::int8)) return;
  AlignedVector<float> weights(static_cast<std::size_t>(kMaxQuantizedRows + 1), 1.0F);
  CHECK_THROWS_AS(PackedMatrix(weights.data(), kMaxQuantizedRows + 1, 1, 1, Precision::int8),
                  RequestError);

  // The most that fits: all inputs 255, all weights 127.
  const PackedMatrix packed(weights.data(), kMaxQuantizedRows, 1, 1, Precision::int8);
  const AlignedVector<std::uint8_t> a(static_cast<std::size_t>(kMaxQuantizedRows), 255);
  std::int32_t sum = 0;
  GemmWorkspace workspace;
  workspace.multiply(a.data(), packed, &sum, 1, false);
  CHECK(sum == kMaxQuantizedRows * 255 * 127);
}

}  // namespace
}  // namespace elmo
