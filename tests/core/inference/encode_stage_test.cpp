#include "core/inference/encode_stage.h"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <string>
#include <vector>

#include "core/workers.h"

namespace elmo {
namespace {

using CachedVector = std::array<float, 2>;

bool holds(TokenCache& cache, const std::string& token, float expected) {
  CachedVector found{};
  return cache.find(token, found.data()) && found == CachedVector{expected, -expected};
}

void keep(TokenCache& cache, const std::string& token, float value) {
  cache.insert(token, CachedVector{value, -value}.data());
}

TEST_CASE("the cache returns the first vector inserted for a token") {
  TokenCache cache(2, 1 << 20);
  CHECK(!holds(cache, "a", 1));
  keep(cache, "a", 1);
  keep(cache, "b", 2);
  keep(cache, "", 3);
  keep(cache, "a", 9);
  CHECK(holds(cache, "a", 1));
  CHECK(holds(cache, "b", 2));
  CHECK(holds(cache, "", 3));
}

TEST_CASE("the least recently used vector is evicted first") {
  TokenCache cache(2, 1000);  // room for some entries of about 200 bytes
  keep(cache, "often", 1);
  int kept = 0;
  for (int i = 0; i < 100; ++i) {
    keep(cache, std::to_string(i), static_cast<float>(i));
    CHECK(holds(cache, "often", 1));
    CHECK(holds(cache, std::to_string(i), static_cast<float>(i)));
  }
  for (int i = 0; i < 100; ++i) kept += holds(cache, std::to_string(i), static_cast<float>(i));
  CHECK(kept >= 1);
  CHECK(kept <= 5);
  CHECK(!holds(cache, "0", 0));
}

TEST_CASE("a token that does not fit is not cached and evicts nothing") {
  TokenCache cache(2, 1000);
  keep(cache, "a", 1);
  keep(cache, std::string(2000, 'x'), 2);
  CHECK(!holds(cache, std::string(2000, 'x'), 2));
  CHECK(holds(cache, "a", 1));
}

TEST_CASE("threads may use the cache at once") {
  TokenCache cache(2, 2000);
  Workers workers(4);
  std::atomic<bool> right = true;
  workers.run(4, [&](std::size_t job) {
    for (std::size_t i = 0; i < 2000; ++i) {
      const std::size_t number = (i * 7 + job) % 20;
      CachedVector found{};
      if (cache.find(std::to_string(number), found.data())) {
        if (found[0] != static_cast<float>(number)) right = false;
      } else {
        keep(cache, std::to_string(number), static_cast<float>(number));
      }
    }
  });
  CHECK(right);
}

TEST_CASE("returned memory is reused, also for a slightly larger buffer") {
  SpareMemory memory;
  AlignedVector<float> buffer;
  memory.take(buffer, 1600);
  CHECK(buffer.size() == 1600);
  const float* place = buffer.data();
  memory.give(buffer);
  CHECK(buffer.empty());
  memory.take(buffer, 1700);
  CHECK(buffer.size() == 1700);
  CHECK(buffer.data() == place);
}

TEST_CASE("two buffers in use have separate memory") {
  SpareMemory memory;
  AlignedVector<float> one;
  AlignedVector<float> other;
  memory.take(one, 100);
  memory.give(one);
  memory.take(one, 100);
  memory.take(other, 100);
  CHECK(one.data() != other.data());
}

TEST_CASE("spare memory that is too small is replaced") {
  SpareMemory memory;
  AlignedVector<float> buffer;
  memory.take(buffer, 10);
  memory.give(buffer);
  memory.take(buffer, 100000);
  CHECK(buffer.size() == 100000);
}

}  // namespace

}  // namespace elmo
