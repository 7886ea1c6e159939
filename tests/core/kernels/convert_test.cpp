#include "core/kernels/convert.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "tests/core/kernels/instruction_sets.h"
#include "tests/core/kernels/numbers.h"

namespace elmo {
namespace {

// Returns the value of the 16 bits of a half, by definition (IEEE 754-2019, 3.4).
double half_value(std::uint16_t bits) {
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  if (exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

std::uint16_t one_half(float value) {
  std::uint16_t result = 0;
  to_float16({&value, 1}, {&result, 1});
  return result;
}

TEST_CASE("every float16 value is widened exactly") {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    float found = 0.0F;
    from_float16({&half, 1}, {&found, 1});
    const auto expected = static_cast<float>(half_value(half));
    if (std::isnan(expected)) {
      CHECK(std::isnan(found));
    } else if (std::bit_cast<std::uint32_t>(found) != std::bit_cast<std::uint32_t>(expected)) {
      FAIL("bits " << bits);
    }
  }
}

TEST_CASE("many float16 values are widened like single ones") {
  std::vector<std::uint16_t> halves(0x10000 + 5);
  for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<std::uint16_t>(i);
  std::vector<float> found(halves.size());
  from_float16(halves, found);
  for (std::size_t i = 0; i < halves.size(); ++i) {
    float alone = 0.0F;
    from_float16({&halves[i], 1}, {&alone, 1});
    if (std::bit_cast<std::uint32_t>(found[i]) != std::bit_cast<std::uint32_t>(alone)) {
      FAIL("bits " << halves[i]);
    }
  }
}

TEST_CASE("every float16 value converts back to itself") {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const double value = half_value(half);
    if (std::isnan(value)) {
      CHECK(std::isnan(half_value(one_half(static_cast<float>(value)))));
    } else if (one_half(static_cast<float>(value)) != half) {
      FAIL("bits " << bits);
    }
  }
}

TEST_CASE("floats between two float16 values go to the nearer, ties to the even one") {
  for (unsigned bits = 0; bits < 0x7BFF; ++bits) {
    const auto low = static_cast<std::uint16_t>(bits);
    const auto high = static_cast<std::uint16_t>(bits + 1);
    const auto middle = static_cast<float>((half_value(low) + half_value(high)) / 2);
    const std::uint16_t even = bits % 2 == 0 ? low : high;
    if (one_half(middle) != even || one_half(std::nextafter(middle, 0.0F)) != low ||
        one_half(std::nextafter(middle, 1e9F)) != high || one_half(-middle) != (even | 0x8000)) {
      FAIL("bits " << bits);
    }
  }
  CHECK(one_half(65519.0F) == 0x7BFF);
  CHECK(one_half(65520.0F) == 0x7C00);
  CHECK(one_half(-1e30F) == 0xFC00);
}

TEST_CASE("bfloat16 is the nearest value, ties to even") {
  const std::vector<std::pair<float, std::uint16_t>> pairs{
      {0.0F, 0x0000},
      {-0.0F, 0x8000},
      {1.0F, 0x3F80},
      {-2.5F, 0xC020},
      {std::bit_cast<float>(0x3F808000U), 0x3F80},  // half way, below is even
      {std::bit_cast<float>(0x3F818000U), 0x3F82},  // half way, above is even
      {std::bit_cast<float>(0x3F808001U), 0x3F81},
      {std::bit_cast<float>(0x3F807FFFU), 0x3F80},
  };
  for (const auto& [value, expected] : pairs) {
    std::uint16_t result = 0;
    to_bfloat16({&value, 1}, {&result, 1});
    CHECK(result == expected);
  }
}

// Rounds by definition: to the nearest bfloat16, or to the even one of two equally near.
std::uint16_t nearest_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto below = static_cast<std::uint16_t>(bits >> 16);
  const std::uint32_t rest = bits & 0xFFFF;
  if (rest < 0x8000 || (rest == 0x8000 && below % 2 == 0)) return below;
  return static_cast<std::uint16_t>(below + 1);
}

TEST_CASE("floats of all bit patterns become the nearest bfloat16, on every instruction set") {
  const auto seed = std::random_device()();
  CAPTURE(seed);
  for_each_instruction_set([&] {
    std::mt19937 generator(seed);
    std::vector<float> values(100'003);
    for (float& value : values) {
      do {
        value = std::bit_cast<float>(static_cast<std::uint32_t>(generator()));
      } while (std::isnan(value));
    }
    std::vector<std::uint16_t> found(values.size());
    to_bfloat16(values, found);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (found[i] != nearest_bfloat16(values[i])) FAIL("of " << values[i]);
    }
  });
}

TEST_CASE("every bfloat16 value is widened exactly and converts back to itself") {
  for_each_instruction_set([] {
    std::vector<std::uint16_t> all(0x10000 + 5);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
    std::vector<float> wide(all.size());
    from_bfloat16(all, wide);
    std::vector<std::uint16_t> back(all.size());
    to_bfloat16(wide, back);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::uint32_t meant = std::uint32_t{all[i]} << 16;
      if (std::bit_cast<std::uint32_t>(wide[i]) != meant) FAIL("bits " << all[i]);
      if (!std::isnan(wide[i]) && back[i] != all[i]) FAIL("bits " << all[i]);
    }
  });
}

TEST_CASE("any number of values is converted, and nothing after them is touched") {
  std::mt19937 generator(1);
  std::normal_distribution<float> normal;
  for (std::size_t count = 0; count < 70; ++count) {
    std::vector<float> values(count);
    for (float& value : values) value = normal(generator);
    std::vector<std::uint16_t> halves(count + 1, 0x1234);
    to_float16(values, std::span(halves).first(count));
    for (std::size_t i = 0; i < count; ++i) CHECK(halves[i] == one_half(values[i]));
    CHECK(halves[count] == 0x1234);
  }
}

TEST_CASE("rows are scaled to their largest magnitude and rounded") {
  for_each_instruction_set([] {
    for (const std::int64_t columns : {1, 7, 16, 53}) {
      CAPTURE(columns);
      constexpr std::int64_t kRows = 4;
      const std::int64_t stride = columns + 5;
      FloatNumbers from = normal_numbers(kRows * stride, 2.0F, 1);
      std::fill_n(from.begin() + stride, columns, 0.0F);        // a row of zeros
      std::fill_n(from.begin() + 2 * stride, columns, 1e-38F);  // and a row of tiny numbers
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
          // Half-way cases may round either way, because the product with 1 / scale is rounded too.
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

// The documented result of to_scaled_int8, in plain arithmetic.
void scale_row(const float* from, std::size_t width, std::int8_t* to, float& scale) {
  float largest = 0;
  for (std::size_t i = 0; i < width; ++i) largest = std::max(largest, std::fabs(from[i]));
  scale = largest < kMinScaled ? 0.0F : largest / 127.0F;
  for (std::size_t i = 0; i < width; ++i) {
    const float quotient = scale == 0.0F ? 0.0F : from[i] / scale;
    to[i] = static_cast<std::int8_t>(std::nearbyint(quotient));  // half to even
  }
}

TEST_CASE("rows of scaled int8 equal plain arithmetic, bit for bit") {
  const auto seed = std::random_device()();
  CAPTURE(seed);
  for_each_instruction_set([&] {
    std::mt19937 random(seed);
    for (int repeat = 0; repeat < 400; ++repeat) {
      const std::size_t width = random() % 70 + 1;
      const std::size_t rows = random() % 4;
      std::vector<float> from(rows * width);
      // Any magnitude that floats have, or multiples of one step, many of them half way.
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
          // Half a step, plus the error of three roundings to float.
          const double error = std::fabs(double{back[i]} - double{from[i]});
          REQUIRE(error <= std::max(0.5001 * double{scale}, double{kMinScaled}));
        }
      }
    }
  });
}

TEST_CASE("rows of zeros have scale 0, and large floats stay finite") {
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

TEST_CASE("NaN and infinity show in the scale of an int8 row") {
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
