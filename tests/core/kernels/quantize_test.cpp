#include "core/kernels/quantize.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "tests/core/kernels/instruction_sets.h"
#include "tests/core/kernels/numbers.h"

namespace elmo {
namespace {

TEST_CASE("rows are scaled to their largest magnitude and rounded") {
  for_each_instruction_set([] {
    for (const std::int64_t columns : {1, 7, 16, 53}) {
      CAPTURE(columns);
      constexpr std::int64_t kRows = 4;
      const std::int64_t stride = columns + 5;
      FloatNumbers from = normal_numbers(kRows * stride, 2.0F, 1);
      std::fill_n(from.begin() + stride, columns, 0.0F);        // a row of zeros
      std::fill_n(from.begin() + 2 * stride, columns, 1e-38F);  // and one of next to nothing
      std::vector<std::uint8_t> to(static_cast<std::size_t>(kRows * columns));
      FloatNumbers scales(kRows);
      quantize_rows(from.data(), kRows, columns, stride, to.data(), scales.data());
      for (std::int64_t row = 0; row < kRows; ++row) {
        const float* values = from.data() + row * stride;
        float largest = 0;
        for (std::int64_t i = 0; i < columns; ++i) {
          largest = std::max(largest, std::fabs(values[i]));
        }
        const float scale = scales[static_cast<std::size_t>(row)];
        CHECK(scale == (row == 1 || row == 2 ? 1.0F : largest / 127.0F));
        for (std::int64_t i = 0; i < columns; ++i) {
          const int found = to[static_cast<std::size_t>(row * columns + i)] - 128;
          // Half-way cases may go either way, for the product with 1 / scale is rounded too.
          CHECK(std::fabs(double{values[i]} / double{scale} - found) <= 0.5001);
          CHECK(std::abs(found) <= 127);
        }
      }
    }
  });
}

TEST_CASE("sums are scaled back by row and column, without their offsets") {
  for_each_instruction_set([] {
    constexpr std::int64_t kRows = 3;
    constexpr std::int64_t kColumns = 21;
    std::vector<std::int32_t> sums;
    for (int i = 0; i < kRows * kColumns; ++i) sums.push_back(i * 7919 % 20011 - 10000);
    std::vector<std::int32_t> offsets;
    FloatNumbers column_scales;
    for (int i = 0; i < kColumns; ++i) {
      offsets.push_back(100 - 13 * i);
      column_scales.push_back(0.01F * static_cast<float>(i + 1));
    }
    const FloatNumbers scales{0.5F, 0.02F, 3.0F};
    FloatNumbers to(sums.size());
    dequantize_sums(sums.data(), scales.data(), column_scales.data(), offsets.data(), kRows,
                    kColumns, to.data());
    for (std::size_t i = 0; i < to.size(); ++i) {
      const std::size_t column = i % kColumns;
      const double expected = double{scales[i / kColumns]} * double{column_scales[column]} *
                              (sums[i] - offsets[column]);
      CHECK(double{to[i]} == doctest::Approx(expected).epsilon(1e-6));
    }
  });
}

// What to_scaled_int8 promises, in plain arithmetic.
void scale_row(const float* from, std::size_t width, std::int8_t* to, float& scale) {
  float largest = 0;
  for (std::size_t i = 0; i < width; ++i) largest = std::max(largest, std::fabs(from[i]));
  scale = largest < kMinScaled ? 0.0F : largest / 127.0F;
  for (std::size_t i = 0; i < width; ++i) {
    const float quotient = scale == 0.0F ? 0.0F : from[i] / scale;
    to[i] = static_cast<std::int8_t>(std::nearbyint(quotient));  // half to even
  }
}

TEST_CASE("rows of scaled int8 are those of plain arithmetic, bit for bit") {
  const auto seed = std::random_device()();
  CAPTURE(seed);
  for_each_instruction_set([&] {
    std::mt19937 random(seed);
    for (int repeat = 0; repeat < 400; ++repeat) {
      const std::size_t width = random() % 70 + 1;
      const std::size_t rows = random() % 4;
      std::vector<float> from(rows * width);
      // Any magnitude that floats have, or few steps of one size, which lie half way often.
      const bool steps = random() % 2 == 0;
      std::normal_distribution<float> normal;
      for (std::size_t row = 0; row < rows; ++row) {
        const float unit = std::ldexp(1.0F, static_cast<int>(random() % 265) - 145);
        for (std::size_t i = 0; i < width; ++i) {
          const auto step = static_cast<float>(static_cast<int>(random() % 509) - 254) / 2.0F;
          float& value = from[row * width + i];
          value = unit * (steps ? step : std::clamp(normal(random), -3.0F, 3.0F));
        }
        if (steps) from[row * width] = 127.0F * unit;
      }
      std::vector<std::int8_t> found(from.size() + 1, 99);
      std::vector<std::int8_t> expected(from.size());
      std::vector<float> scales(rows);
      std::vector<float> back(from.size());
      to_scaled_int8(from, width, std::span(found).first(from.size()), scales);
      from_scaled_int8(std::span(found).first(from.size()), scales, width, back);
      CHECK(found.back() == 99);
      for (std::size_t row = 0; row < rows; ++row) {
        float scale = 0;
        scale_row(&from[row * width], width, &expected[row * width], scale);
        REQUIRE(scales[row] == scale);
        for (std::size_t i = row * width; i < (row + 1) * width; ++i) {
          REQUIRE(found[i] == expected[i]);
          REQUIRE(found[i] >= -127);
          REQUIRE(back[i] == static_cast<float>(found[i]) * scale);
          REQUIRE(std::isfinite(back[i]));
          // Half a step, and what the three roundings to float add.
          const double error = std::fabs(double{back[i]} - double{from[i]});
          REQUIRE(error <= std::max(0.5001 * double{scale}, double{kMinScaled}));
        }
      }
    }
  });
}

TEST_CASE("rows of zeros have scale 0, large floats stay finite") {
  for_each_instruction_set([] {
    const float most = std::nextafter(0x1.FFFFFCp127F, 0.0F);
    const std::vector<float> from{0.0F, -0.0F, 9e-31F, most, -most, most / 254.0F};
    std::vector<std::int8_t> to(from.size());
    std::vector<float> scales(2);
    std::vector<float> back(from.size());
    to_scaled_int8(from, 3, to, scales);
    from_scaled_int8(to, scales, 3, back);
    CHECK(scales[0] == 0.0F);
    CHECK(to == std::vector<std::int8_t>{0, 0, 0, 127, -127, 0});
    CHECK(std::isfinite(back[3]));
    CHECK(std::isfinite(back[4]));
  });
}

TEST_CASE("what is no number shows in the scale of a row of int8") {
  for (const float bad : {std::nanf(""), INFINITY, -INFINITY}) {
    for (const std::size_t place : {0U, 16U, 36U}) {
      FloatNumbers from = normal_numbers(37, 1.0F, 6);
      from[place] = bad;
      std::vector<std::int8_t> to(from.size());
      float scale = 0.0F;
      to_scaled_int8(from, from.size(), to, {&scale, 1});
      CHECK_FALSE(std::isfinite(scale));
    }
  }
}

}  // namespace
}  // namespace elmo
