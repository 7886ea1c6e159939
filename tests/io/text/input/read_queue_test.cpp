#include "io/text/input/read_queue.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <latch>
#include <stdexcept>
#include <thread>
#include <vector>

namespace elmo {
namespace {

// Time after which a test waits for something that will never come.
constexpr std::chrono::seconds kLongTime(60);

std::size_t no_bytes(const int& /*item*/) { return 0; }

TEST_CASE("items come in order, then the end, every time") {
  constexpr int kItems = 100'000;
  std::atomic<bool> stop = false;
  int last = 0;
  {
    ReadQueue<int> queue([&](int& item) { return (item = ++last) <= kItems; },
                         [](const int&) { return std::size_t{1000}; }, stop);
    for (int expected = 1; expected <= kItems; ++expected) {
      int item = 0;
      REQUIRE(queue.next(item));
      REQUIRE(item == expected);
    }
    int item = 0;
    for (int i = 0; i < 2; ++i) CHECK_FALSE(queue.next(item));
    CHECK(queue.wait(std::chrono::microseconds(0)));
  }
  CHECK_FALSE(stop);
}

TEST_CASE("an error comes after the items before it, every time") {
  std::atomic<bool> stop = false;
  int last = 0;
  ReadQueue<int> queue(
      [&](int& item) {
        if (last == 3) throw std::runtime_error("damaged");
        item = ++last;
        return true;
      },
      no_bytes, stop);
  int item = 0;
  for (int i = 0; i < 3; ++i) CHECK(queue.next(item));
  for (int i = 0; i < 2; ++i) CHECK_THROWS_WITH(queue.next(item), "damaged");
}

TEST_CASE("an item can be taken before the next one has arrived") {
  std::atomic<bool> stop = false;
  std::latch taken(1);
  int last = 0;
  ReadQueue<int> queue(
      [&](int& item) {
        if (last == 1) taken.wait();
        item = ++last;
        return last < 3;
      },
      no_bytes, stop);
  int item = 0;
  CHECK(queue.wait(kLongTime));
  CHECK(queue.next(item));
  CHECK_FALSE(queue.wait(std::chrono::milliseconds(5)));
  CHECK_FALSE(queue.wait(std::chrono::microseconds(0)));
  taken.count_down();
  CHECK(queue.next(item));
  CHECK(item == 2);
  CHECK_FALSE(queue.next(item));
}

TEST_CASE("reading ahead is limited by the queue's size") {
  std::atomic<bool> stop = false;
  std::atomic<int> last = 0;
  ReadQueue<int> queue(
      [&](int& item) {
        item = ++last;
        return true;
      },
      [](const int&) { return std::size_t{1} << 18; }, stop);
  int item = 0;
  for (int expected = 1; expected <= 100; ++expected) {
    REQUIRE(queue.next(item));
    CHECK(item == expected);
    // 1 MiB holds 4 items: 4 were taken at once, 4 may be waiting, and one is being read.
    CHECK(last - item <= 9);
  }
}

TEST_CASE("destroying a queue ends a waiting read") {
  std::atomic<bool> stop = false;
  std::latch reading(1);
  {
    ReadQueue<int> queue(
        [&](int&) {
          reading.count_down();
          while (!stop) std::this_thread::yield();
          return false;
        },
        no_bytes, stop);
    CHECK_FALSE(queue.wait(std::chrono::microseconds(0)));
    reading.wait();
  }
  CHECK(stop);
  // Nothing is read before the first call.
  bool read = false;
  {
    const ReadQueue<int> queue([&](int&) { return read = true; }, no_bytes, stop);
  }
  CHECK_FALSE(read);
}

}  // namespace
}  // namespace elmo
