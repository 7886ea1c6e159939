#include "io/h5/trial.h"

#include <doctest/doctest.h>

#include <atomic>
#include <csignal>
#include <functional>
#include <latch>
#include <new>
#include <thread>
#include <vector>

#include "core/error.h"

namespace elmo::h5 {
namespace {

Trial trial(const std::string& reading, std::vector<std::string> arguments = {}) {
  return {reading, std::move(arguments), "file.hdf5", trial_limits(0)};
}

/// Does a check twice: as it is, and beside another thread, where the process cannot be a copy.
void alone_and_beside_a_thread(const std::function<void()>& check) {
  check();
  std::latch checked(1);
  std::thread other([&checked] { checked.wait(); });
  check();
  checked.count_down();
  other.join();
}

TEST_CASE("what a reading returns in the process of its own is returned here") {
  alone_and_beside_a_thread([] {
    const std::string words(100000, 'x');
    CHECK(try_out(trial("return", {words})) == words);
    CHECK(try_out(trial("return", {""})).empty());
    CHECK(try_out(trial("return", {"\n \"'$x"})) == "\n \"'$x");
  });
}

TEST_CASE("what a reading throws there is thrown here") {
  const std::string words(100000, 'x');
  CHECK_THROWS_WITH_AS(try_out(trial("throw", {words, "input"})), words.c_str(), InputError);
  CHECK_THROWS_WITH_AS(try_out(trial("throw", {"full", "system"})), "full", SystemError);
  CHECK_THROWS_AS(try_out(trial("throw", {"", "memory"})), std::bad_alloc);
}

TEST_CASE("a file that kills the process is refused") {
  alone_and_beside_a_thread([] {
    for (const int signal : {SIGSEGV, SIGABRT, SIGBUS}) {
      CAPTURE(signal);
      CHECK_THROWS_WITH_AS(try_out(trial("raise", {std::to_string(signal)})),
                           doctest::Contains("file.hdf5: is damaged"), InputError);
    }
    CHECK_THROWS_WITH_AS(try_out(trial("raise", {std::to_string(SIGKILL)})),
                         doctest::Contains("file.hdf5: the process that read it was killed"),
                         InputError);
  });
}

TEST_CASE("what is sent to a whole job does not end the process") {
  alone_and_beside_a_thread([] {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      CAPTURE(signal);
      CHECK(try_out(trial("raise", {std::to_string(signal)})) == "survived");
    }
  });
}

TEST_CASE("a file that holds the process up without end is refused") {
  Trial computing = trial("spin");
  computing.limits.cpu = std::chrono::seconds(1);
  CHECK_THROWS_WITH_AS(try_out(computing),
                       doctest::Contains("could not be read within 1 seconds of a processor"),
                       InputError);
  Trial waiting = trial("wait");
  waiting.limits.wall = std::chrono::seconds(1);
  CHECK_THROWS_AS(try_out(waiting), InputError);
}

TEST_CASE("larger files may take longer") {
  CHECK(trial_limits(std::uint64_t{1} << 40).cpu > 1000 * trial_limits(0).cpu);
  CHECK(trial_limits(0).wall > trial_limits(0).cpu);
  CHECK(trial_limits("/no/such/file").cpu == trial_limits(0).cpu);
}

TEST_CASE("many threads try files out at once") {
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&right, i] {
      const std::string words = std::to_string(i);
      if (try_out(trial("return", {words})) == words) ++right;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(right == 8);
}

}  // namespace
}  // namespace elmo::h5
