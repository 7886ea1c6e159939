#include "core/kernels/convert.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "tests/core/kernels/instruction_sets.h"

namespace elmo {
namespace {

// What the 16 bits of a half mean, by definition (IEEE 754-2019, 3.4).
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

TEST_CASE("every half is widened to what it means") {
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

TEST_CASE("many halves are widened as each of them alone") {
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

TEST_CASE("every half converts to itself") {
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

TEST_CASE("floats between two halves go to the nearer, ties to the even one") {
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

TEST_CASE("bfloat16 is the nearest, ties to even") {
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

// By definition: the nearest of the two bfloat16 beside a float, the even one where both are as
// near.
std::uint16_t nearest_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto below = static_cast<std::uint16_t>(bits >> 16);
  const std::uint32_t rest = bits & 0xFFFF;
  if (rest < 0x8000 || (rest == 0x8000 && below % 2 == 0)) return below;
  return static_cast<std::uint16_t>(below + 1);
}

TEST_CASE("floats of all bits become the nearest bfloat16, by every instruction set") {
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

TEST_CASE("every bfloat16 is widened to what it means, and goes back to itself") {
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

TEST_CASE("any number of values is converted, and nothing behind them is touched") {
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

}  // namespace
}  // namespace elmo
