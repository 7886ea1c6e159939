#include "core/kernels/random.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "tests/core/kernels/instruction_sets.h"
#include "tests/core/kernels/numbers.h"

namespace elmo {
namespace {

using Counter = std::array<std::uint32_t, 4>;

// Philox4x32-10, written as in the paper.
Counter philox(Counter c, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53U} * c[0];
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57U} * c[2];
    c = {static_cast<std::uint32_t>(product1 >> 32U) ^ c[1] ^ key[0],
         static_cast<std::uint32_t>(product1),
         static_cast<std::uint32_t>(product0 >> 32U) ^ c[3] ^ key[1],
         static_cast<std::uint32_t>(product0)};
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
  }
  return c;
}

bool is_kept(const DropoutKey& key, float rate, std::int64_t i) {
  const Counter counter = {static_cast<std::uint32_t>(i / 64 * 16 + i % 16), key.mask_id,
                           static_cast<std::uint32_t>(key.step),
                           static_cast<std::uint32_t>(key.step >> 32U)};
  const Counter words = philox(
      counter, {static_cast<std::uint32_t>(key.seed), static_cast<std::uint32_t>(key.seed >> 32U)});
  return words[static_cast<std::size_t>(i % 64 / 16)] * std::pow(2.0, -32) >= double{rate};
}

FloatNumbers dropped(const DropoutKey& key, float rate, const FloatNumbers& values) {
  FloatNumbers result(values.size());
  dropout(key, rate, 0, values.data(), static_cast<std::int64_t>(values.size()), result.data());
  return result;
}

TEST_CASE("the test's generator gives the vectors published for Philox4x32-10") {
  CHECK(philox({0, 0, 0, 0}, {0, 0}) ==
        Counter{0x6627E8D5U, 0xE169C58DU, 0xBC57AC4CU, 0x9B00DBD8U});
  CHECK(philox({0xFFFFFFFFU, 0xFFFFFFFFU, 0xFFFFFFFFU, 0xFFFFFFFFU}, {0xFFFFFFFFU, 0xFFFFFFFFU}) ==
        Counter{0x408F276DU, 0x41C83B0EU, 0xA20BC7C6U, 0x6D5451FDU});
  CHECK(philox({0x243F6A88U, 0x85A308D3U, 0x13198A2EU, 0x03707344U}, {0xA4093822U, 0x299F31D0U}) ==
        Counter{0xD16CFE09U, 0x94FDCCEBU, 0x5001E420U, 0x24126EA1U});
}

TEST_CASE("dropout keeps the values that the generator selects, on every instruction set") {
  for_each_instruction_set([] {
    for (const DropoutKey& key :
         {DropoutKey{}, DropoutKey{0x299F31D0A4093822U, 0x0370734413198A2EU, 0x85A308D3U}}) {
      for (const float rate : {0.1F, 0.5F, 0.9F, 0.99999994F}) {
        for (const std::int64_t size : {1, 15, 64, 1000}) {
          CAPTURE(rate);
          CAPTURE(size);
          const FloatNumbers values = normal_numbers(size, 1.0F, 1);
          FloatNumbers expected;
          for (std::int64_t i = 0; i < size; ++i) {
            const float scaled = values[static_cast<std::size_t>(i)] * (1.0F / (1.0F - rate));
            expected.push_back(is_kept(key, rate, i) ? scaled : 0.0F);
          }
          CHECK(dropped(key, rate, values) == expected);
        }
      }
    }
  });
}

TEST_CASE("a mask depends neither on the number of values nor on their addresses") {
  const DropoutKey key{3, 4, 5};
  const FloatNumbers values = normal_numbers(777, 1.0F, 1);
  const FloatNumbers whole = dropped(key, 0.3F, values);
  for (const std::ptrdiff_t size : {1, 16, 63, 65, 500}) {
    CHECK(dropped(key, 0.3F, {values.begin(), values.begin() + size}) ==
          FloatNumbers(whole.begin(), whole.begin() + size));
  }
  FloatNumbers in_place = values;
  dropout(key, 0.3F, 0, in_place.data(), 777, in_place.data());
  CHECK(in_place == whole);
}

TEST_CASE("dropout drops at its rate and keeps the mean") {
  constexpr std::int64_t kSize = 200000;
  const FloatNumbers ones(kSize, 1.0F);
  for (const float rate : {0.1F, 0.5F}) {
    const FloatNumbers result = dropped({1, 2, 3}, rate, ones);
    const auto zeros = static_cast<double>(std::count(result.begin(), result.end(), 0.0F));
    // Allows five standard deviations.
    const double spread = 5 * std::sqrt(double{rate} * (1 - double{rate}) / double{kSize});
    CHECK(std::fabs(zeros / double{kSize} - double{rate}) < spread);
    for (const float value : result) {
      if (value != 0.0F) REQUIRE(value == doctest::Approx(1 / (1 - double{rate})));
    }
  }
}

TEST_CASE("masks of other seeds, steps and ids are independent") {
  constexpr std::int64_t kSize = 100000;
  const FloatNumbers ones(kSize, 1.0F);
  const FloatNumbers mask = dropped({1, 2, 3}, 0.5F, ones);
  for (const DropoutKey& key : {DropoutKey{2, 2, 3}, DropoutKey{1, 3, 3}, DropoutKey{1, 2, 4},
                                DropoutKey{1 + (std::uint64_t{1} << 32U), 2, 3},
                                DropoutKey{1, 2 + (std::uint64_t{1} << 32U), 3}}) {
    const FloatNumbers other = dropped(key, 0.5F, ones);
    double equal = 0;
    for (std::size_t i = 0; i < ones.size(); ++i) equal += mask[i] == other[i] ? 1 : 0;
    CHECK(std::fabs(equal / double{kSize} - 0.5) < 5 * 0.5 / std::sqrt(double{kSize}));
  }
}

TEST_CASE("a dropout rate of 0 changes nothing") {
  const FloatNumbers values = normal_numbers(50, 1.0F, 1);
  CHECK(dropped({1, 2, 3}, 0.0F, values) == values);
}

TEST_CASE("a part of the values gets its part of the mask") {
  for_each_instruction_set([] {
    constexpr std::int64_t kSize = 300;
    const std::vector<float> ones(kSize, 1.0F);
    std::vector<float> whole(kSize);
    const DropoutKey key{5, 6, 7};
    dropout(key, 0.4F, 0, ones.data(), kSize, whole.data());
    for (const std::int64_t first : {0, 1, 63, 64, 65, 130}) {
      for (const std::int64_t size : {1, 5, 64, 170}) {
        CAPTURE(first);
        CAPTURE(size);
        std::vector<float> part(static_cast<std::size_t>(size));
        dropout(key, 0.4F, first, ones.data() + first, size, part.data());
        CHECK(std::equal(part.begin(), part.end(), whole.begin() + first));
      }
    }
  });
}

std::vector<std::uint64_t> order_of(std::uint64_t size, std::uint64_t key) {
  const Permutation permutation(size, key);
  std::vector<std::uint64_t> order;
  for (std::uint64_t i = 0; i < size; ++i) order.push_back(permutation(i));
  return order;
}

TEST_CASE("a permutation contains every position once, for any size") {
  for (const std::uint64_t size : {1U, 2U, 3U, 4U, 5U, 15U, 16U, 17U, 63U, 65U, 1000U, 4097U}) {
    CAPTURE(size);
    const std::vector<std::uint64_t> order = order_of(size, 7);
    const std::set<std::uint64_t> places(order.begin(), order.end());
    CHECK(places.size() == size);
    CHECK(*places.rbegin() == size - 1);
  }
}

TEST_CASE("the key selects the permutation") {
  CHECK(order_of(1000, 1) == order_of(1000, 1));
  CHECK(order_of(1000, 1) != order_of(1000, 2));

  // All six orders of three are about equally frequent: within 6 standard deviations of 1000.
  std::vector<int> counts(9);
  for (std::uint64_t key = 0; key < 6000; ++key) {
    const std::vector<std::uint64_t> order = order_of(3, key);
    ++counts[order[0] * 3 + order[1]];
  }
  for (const int first_two : {1, 2, 3, 5, 6, 7}) {
    CHECK(counts[static_cast<std::size_t>(first_two)] > 827);
    CHECK(counts[static_cast<std::size_t>(first_two)] < 1173);
  }
}

TEST_CASE("a permutation neither keeps neighbors together nor leaves elements in position") {
  constexpr std::uint64_t kSize = 10000;
  const std::vector<std::uint64_t> order = order_of(kSize, 3);
  int unmoved = 0;
  int together = 0;
  for (std::size_t i = 0; i < kSize; ++i) {
    unmoved += order[i] == i;
    together += i > 0 && order[i] == order[i - 1] + 1;
  }
  CHECK(unmoved < 10);   // 1 is expected
  CHECK(together < 10);  // 1 is expected
}

TEST_CASE("a permutation of more than 32 bits stays in range") {
  constexpr std::uint64_t kSize = (std::uint64_t{1} << 40) + 12345;
  const Permutation permutation(kSize, 11);
  std::set<std::uint64_t> places;
  for (std::uint64_t i = 0; i < 1000; ++i) places.insert(permutation(kSize - 1 - i));
  CHECK(places.size() == 1000);
  CHECK(*places.rbegin() < kSize);
  CHECK(*places.rbegin() > kSize / 2);
}

}  // namespace
}  // namespace elmo
