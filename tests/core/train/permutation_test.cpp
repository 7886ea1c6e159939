#include "core/train/permutation.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <vector>

namespace elmo {
namespace {

std::vector<std::uint64_t> order_of(std::uint64_t size, std::uint64_t key) {
  const Permutation permutation(size, key);
  std::vector<std::uint64_t> order;
  for (std::uint64_t i = 0; i < size; ++i) order.push_back(permutation(i));
  return order;
}

TEST_CASE("a permutation has every place once, whatever its size") {
  for (const std::uint64_t size : {1U, 2U, 3U, 4U, 5U, 15U, 16U, 17U, 63U, 65U, 1000U, 4097U}) {
    CAPTURE(size);
    const std::vector<std::uint64_t> order = order_of(size, 7);
    const std::set<std::uint64_t> places(order.begin(), order.end());
    CHECK(places.size() == size);
    CHECK(*places.rbegin() == size - 1);
  }
}

TEST_CASE("the key decides which permutation it is") {
  CHECK(order_of(1000, 1) == order_of(1000, 1));
  CHECK(order_of(1000, 1) != order_of(1000, 2));

  // All six orders of three come up about as often: within 6 standard deviations of 1000.
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

TEST_CASE("a permutation leaves neither neighbors together nor places where they were") {
  constexpr std::uint64_t kSize = 10000;
  const std::vector<std::uint64_t> order = order_of(kSize, 3);
  int unmoved = 0;
  int together = 0;
  for (std::size_t i = 0; i < kSize; ++i) {
    unmoved += order[i] == i;
    together += i > 0 && order[i] == order[i - 1] + 1;
  }
  CHECK(unmoved < 10);   // 1 is expected
  CHECK(together < 10);  // as here
}

TEST_CASE("a permutation of more than 32 bits stays inside its size") {
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
