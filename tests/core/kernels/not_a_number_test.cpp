// NaN must reach the results: no bound, maximum or rounding may hide it.
#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/kernels/convert.h"
#include "core/kernels/encoder_kernels.h"
#include "core/kernels/lstm_step.h"
#include "core/kernels/optimizer_kernels.h"
#include "core/kernels/packed_matrix.h"
#include "core/kernels/precision.h"
#include "core/kernels/product.h"
#include "core/kernels/softmax.h"
#include "tests/core/kernels/instruction_sets.h"
#include "tests/core/kernels/numbers.h"

namespace elmo {
namespace {

constexpr float kUnclipped = std::numeric_limits<float>::infinity();

// NaN of either sign, and NaN with all bits 1, which rounding up would carry over.
const std::array<float, 3> kNotNumbers{std::bit_cast<float>(0x7FC00000U),
                                       std::bit_cast<float>(0xFFC00000U),
                                       std::bit_cast<float>(0xFFFFFFFFU)};

// Calls body(nan) for each NaN on each instruction set.
template <typename Body>
void for_each_nan(Body body) {
  for_each_instruction_set([&] {
    for (const float nan : kNotNumbers) {
      CAPTURE(std::bit_cast<std::uint32_t>(nan));
      body(nan);
    }
  });
}

TEST_CASE("gates") {
  for_each_nan([](float nan) {
    for (const float clip : {3.0F, kUnclipped}) {
      for (const std::size_t place : {0U, 17U, 40U, 63U, 64U}) {  // a sum of each gate, then a cell
        CAPTURE(place);
        std::vector<float> sums(std::size_t{4} * kHiddenGroup, 0.5F);
        std::vector<float> cell(kHiddenGroup, 0.25F);
        const std::vector<float> bias(sums.size(), 0.0F);
        const bool in_cell = place == sums.size();
        (in_cell ? cell[3] : sums[place]) = nan;
        const std::size_t unit = in_cell ? 3 : place % kHiddenGroup;
        std::vector<float> output(kHiddenGroup);
        std::vector<std::uint16_t> narrow(kHiddenGroup);
        GateBlock block;
        block.rows = 1;
        block.hidden = kHiddenGroup;
        block.bias = bias.data();
        block.cell = cell.data();
        block.cell_stride = kHiddenGroup;
        block.cell_clip = clip;
        block.output = output.data();
        block.output_stride = kHiddenGroup;
        const std::vector<float> before = cell;
        lstm_gates(FloatSums{sums.data()}, block);
        for (std::size_t i = 0; i < output.size(); ++i) CHECK(std::isnan(output[i]) == (i == unit));
        cell = before;
        block.output = narrow.data();
        block.bfloat16_output = true;
        lstm_gates(FloatSums{sums.data()}, block);
        for (std::size_t i = 0; i < narrow.size(); ++i) {
          const auto value = std::bit_cast<float>(std::uint32_t{narrow[i]} << 16);
          CHECK(std::isnan(value) == (i == unit));
        }
      }
    }
  });
}

TEST_CASE("maximum and activation of the encoder") {
  constexpr std::int64_t kFilters = 21;
  constexpr std::int64_t kPositions = 4;
  for_each_nan([](float nan) {
    for (const Activation activation : {Activation::relu, Activation::tanh}) {
      for (std::size_t position = 0; position < std::size_t{kPositions}; ++position) {
        for (const std::size_t filter : {0U, 13U, 20U}) {
          CAPTURE(position);
          CAPTURE(filter);
          FloatNumbers from = normal_numbers(kFilters * kPositions, 1.0F, 4);
          from[position * std::size_t{kFilters} + filter] = nan;
          FloatNumbers to(kFilters);
          max_pool(from.data(), kPositions, kFilters, activation, to.data());
          for (std::size_t f = 0; f < to.size(); ++f) CHECK(std::isnan(to[f]) == (f == filter));
          std::vector<std::int32_t> where(kFilters);
          max_pool(from.data(), kPositions, kFilters, activation, to.data(), where.data());
          for (std::size_t f = 0; f < to.size(); ++f) CHECK(std::isnan(to[f]) == (f == filter));
        }
      }
    }
  });
}

TEST_CASE("character tables") {
  constexpr std::int64_t kWidth = 2;
  constexpr std::int64_t kFilters = 40;
  for_each_nan([](float nan) {
    for (const Activation activation : {Activation::relu, Activation::tanh}) {
      for (const std::size_t filter : {0U, 17U, 39U}) {
        const FloatNumbers embedding{1.0F, 2.0F, 3.0F};  // three characters of one number
        FloatNumbers weights = normal_numbers(kWidth * kFilters, 1.0F, 5);
        weights[filter] = nan;
        const FloatNumbers bias(kFilters, 0.5F);
        const CharacterTable table(embedding, 1, weights, bias, kWidth);
        const std::vector<std::int32_t> word{0, 2, 1, 0};
        const std::vector<std::span<const std::int32_t>> words{word};
        FloatNumbers to(kFilters);
        table.pool(words, activation, to.data(), kFilters);
        for (std::size_t f = 0; f < to.size(); ++f) CHECK(std::isnan(to[f]) == (f == filter));
      }
    }
  });
}

TEST_CASE("highway layers") {
  constexpr std::size_t kFilters = 19;
  for_each_nan([](float nan) {
    for (const std::size_t place : {2U, 18U}) {
      for (int input = 0; input < 3; ++input) {
        std::array<FloatNumbers, 3> values;
        for (FloatNumbers& one : values) one.assign(kFilters, 0.5F);
        values.at(static_cast<std::size_t>(input))[place] = nan;
        auto& [carry, transform, x] = values;
        const FloatNumbers bias(kFilters, 0.0F);
        FloatNumbers y(kFilters);
        FloatNumbers carry_copy = carry;
        FloatNumbers transform_copy = transform;
        highway_forward(carry_copy.data(), bias.data(), transform_copy.data(), bias.data(),
                        x.data(), 1, kFilters, y.data());
        highway_forward(carry.data(), bias.data(), transform.data(), bias.data(), x.data(), 1,
                        kFilters, x.data());
        for (std::size_t f = 0; f < kFilters; ++f) {
          CHECK(std::isnan(x[f]) == (f == place));
          CHECK(std::isnan(y[f]) == (f == place));
        }
      }
    }
  });
}

TEST_CASE("quantized rows with NaN dequantize to NaN") {
  for_each_nan([](float nan) {
    for (const std::size_t place : {0U, 5U, 16U, 36U}) {
      FloatNumbers row = normal_numbers(37, 1.0F, 6);
      row[place] = nan;
      std::vector<std::uint8_t> quantized(row.size());
      float scale = 0.0F;
      quantize_rows(row.data(), 1, 37, 37, quantized.data(), &scale);
      CHECK(std::isnan(scale));
      const std::vector<std::int32_t> sums(3, 7);
      const std::vector<std::int32_t> offsets(3, 7);
      const FloatNumbers column_scales(3, 1.0F);
      FloatNumbers back(3);
      dequantize_sums(sums.data(), &scale, column_scales.data(), offsets.data(), 1, 3, back.data());
      for (const float value : back) CHECK(std::isnan(value));
    }
  });
}

TEST_CASE("narrow formats") {
  for_each_nan([](float nan) {
    FloatNumbers from(21, 1.5F);
    from[4] = from[20] = nan;
    std::vector<std::uint16_t> to(from.size());
    to_bfloat16(from, to);
    for (std::size_t i = 0; i < to.size(); ++i) {
      const auto value = std::bit_cast<float>(std::uint32_t{to[i]} << 16);
      CHECK(std::isnan(value) == (i == 4 || i == 20));
    }
    to_float16(from, to);
    for (std::size_t i = 0; i < to.size(); ++i) {
      CHECK(((to[i] & 0x7FFF) > 0x7C00) == (i == 4 || i == 20));
    }
  });
}

TEST_CASE("packed int8 weights with NaN have a NaN scale") {
  if (!is_supported(Precision::int8)) return;
  for (const float nan : kNotNumbers) {
    for (const std::size_t place : {1U, 5U}) {  // first and last row of the second column
      FloatNumbers weights(6, 0.5F);
      weights[place] = nan;
      WeightMemory memory;
      const PackedMatrix packed(weights.data(), 3, 2, 2, Precision::int8, memory);
      CHECK(!std::isnan(packed.scales()[0]));
      CHECK(std::isnan(packed.scales()[1]));
    }
  }
}

TEST_CASE("softmax") {
  for_each_nan([](float nan) {
    for (const std::size_t place : {0U, 9U, 32U}) {
      FloatNumbers logits = normal_numbers(33, 1.0F, 7);
      logits[place] = nan;
      float maximum = -kUnclipped;
      double sum = 0.0;
      accumulate_exponentials(logits.data(), 1, 33, 33, nullptr, &maximum, &sum);
      CHECK(std::isnan(sum));
    }
  });
}

TEST_CASE("clipping and a step of training") {
  for_each_nan([](float nan) {
    FloatNumbers values(19, 5.0F);
    values[1] = values[18] = nan;
    clip(values.data(), 19, 2.0F);
    for (std::size_t i = 0; i < values.size(); ++i) {
      CHECK((i == 1 || i == 18 ? std::isnan(values[i]) : values[i] == 2.0F));
    }
    FloatNumbers gates(4, 0.5F);
    gates[2] = nan;
    const FloatNumbers bias(4, 0.0F);
    const FloatNumbers previous(1, 0.5F);
    FloatNumbers cell(1);
    FloatNumbers output(1);
    LstmForwardStep step;
    step.rows = 1;
    step.cells = 1;
    step.gates = gates.data();
    step.gates_stride = 4;
    step.bias = bias.data();
    step.previous_cell = previous.data();
    step.cell = cell.data();
    step.output = output.data();
    step.output_stride = 1;
    step.cell_clip = 3.0F;
    lstm_forward(step);
    CHECK(std::isnan(cell[0]));
    CHECK(std::isnan(output[0]));
  });
}

}  // namespace
}  // namespace elmo
