#include "core/workers.h"

#include <doctest/doctest.h>
#include <omp.h>

#include <array>
#include <atomic>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.h"

namespace elmo {
namespace {

// Starts at most `limit` threads, and counts those that have ended.
struct LimitedSystem {
  explicit LimitedSystem(int most) : limit(most) {}

  std::thread start(std::function<void()> work) {
    if (started == limit) throw SystemError("no more threads");
    ++started;
    return std::thread([this, work = std::move(work)] {
      work();
      ++ended;
    });
  }
  ThreadStarter starter() {
    return [this](std::function<void()> work) { return start(std::move(work)); };
  }

  int limit;
  std::atomic<int> started = 0;
  std::atomic<int> ended = 0;
};

TEST_CASE("every job runs once, on one of the workers, including jobs added by jobs") {
  constexpr int kWorkers = 3;
  constexpr std::size_t kJobs = 100;
  std::array<std::atomic<int>, kJobs> runs{};
  std::array<std::atomic<int>, kWorkers> by_worker{};
  std::latch done(2 * kJobs);
  Workers workers(kWorkers);
  for (std::size_t i = 0; i < kJobs; ++i) {
    workers.add([&, i](int worker) {
      ++runs[i];
      ++by_worker.at(static_cast<std::size_t>(worker));
      workers.add([&](int) { done.count_down(); });
      done.count_down();
    });
  }
  done.wait();
  for (const std::atomic<int>& count : runs) CHECK(count == 1);
  CHECK(by_worker[0] + by_worker[1] + by_worker[2] == static_cast<int>(kJobs));
}

TEST_CASE("a worker runs one job at a time") {
  constexpr int kWorkers = 4;
  std::array<std::atomic<int>, kWorkers> inside{};
  std::atomic<bool> alone = true;
  constexpr int kJobs = 1000;
  std::latch done(kJobs);
  Workers workers(kWorkers);
  for (int i = 0; i < kJobs; ++i) {
    workers.add([&](int worker) {
      std::atomic<int>& count = inside[static_cast<std::size_t>(worker)];
      if (++count != 1) alone = false;
      --count;
      done.count_down();
    });
  }
  done.wait();
  CHECK(alone);
}

TEST_CASE("the exception of a job is passed on, and the worker continues") {
  std::vector<std::string> failures;
  std::latch done(3);
  {
    Workers workers(1, 1, [&](const std::exception_ptr& failure) {
      try {
        std::rethrow_exception(failure);
      } catch (const InputError& error) {
        failures.emplace_back(error.what());
      }
      done.count_down();
    });
    workers.add([](int) { throw InputError("first"); });
    workers.add([&](int) { done.count_down(); });
    workers.add([](int) { throw InputError("third"); });
    done.wait();
  }
  CHECK(failures == std::vector<std::string>{"first", "third"});
}

TEST_CASE("run waits for all jobs and rethrows the exception of the first failed job") {
  for (const int count : {1, 3}) {
    Workers workers(count);
    std::atomic<int> ended = 0;
    const auto end = [&](std::size_t) { ++ended; };
    const auto end_or_fail = [&](std::size_t job) {
      if (job == 4) throw InputError("the fifth");
      if (job == 11) throw SystemError("the twelfth");
      ++ended;
    };
    CHECK_THROWS_WITH_AS(workers.run(20, end_or_fail), "the fifth", InputError);
    CHECK(ended == 18);
    workers.run(20, end);
    CHECK(ended == 38);
    workers.run(0, end);
    CHECK(ended == 38);
  }
}

TEST_CASE("closing drops waiting jobs and finishes the running one") {
  std::atomic<int> ended = 0;
  std::latch running(1);
  std::latch dropped(1);
  Workers workers(1);
  workers.add([&](int) {
    running.count_down();
    dropped.wait();
    workers.add([&](int) { ended += 100; });
    ++ended;
  });
  // Destroyed with the job that holds it.
  std::shared_ptr<void> token(nullptr, [&](void*) { dropped.count_down(); });
  workers.add([&, token](int) { ended += 10; });
  token.reset();
  running.wait();
  workers.close();
  CHECK(ended == 1);
  workers.add([&](int) { ended += 1000; });
  workers.close();
  CHECK(ended == 1);
}

TEST_CASE("a thread that cannot be started is an error, and started threads have ended") {
  for (const int limit : {0, 1, 5}) {
    LimitedSystem system(limit);
    CHECK_THROWS_WITH_AS(Workers(
                             6, 1, [](const std::exception_ptr&) {}, system.starter()),
                         "no more threads", SystemError);
    CHECK(system.started == limit);
    CHECK(system.ended == limit);
  }
  LimitedSystem enough(6);
  {
    const Workers workers(
        6, 1, [](const std::exception_ptr&) {}, enough.starter());
  }
  CHECK(enough.ended == 6);
}

TEST_CASE("the threads of each worker are tried before OpenMP starts them") {
  LimitedSystem system(2 + 3);  // both workers, but only some of the other threads
  CHECK_THROWS_AS(Workers(
                      2, 4, [](const std::exception_ptr&) {}, system.starter()),
                  SystemError);
  CHECK(system.ended == system.started);

  Workers workers(2, 3);
  std::array<int, 4> threads{};
  workers.run(threads.size(), [&](std::size_t job) { threads[job] = omp_get_max_threads(); });
  CHECK(threads == std::array<int, 4>{3, 3, 3, 3});
}

// True if the calling thread blocks the signal.
bool is_blocked(int signal) {
  sigset_t mask;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  return ::sigismember(&mask, signal) == 1;
}

TEST_CASE("a program's signals are handled on its own threads") {
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGCHLD, SIGRTMIN}) {
    CAPTURE(signal);
    bool blocked = false;
    start_thread([&] { blocked = is_blocked(signal); }).join();
    CHECK(blocked);
    CHECK(run_beside([&] { return is_blocked(signal); }).get());
    CHECK_FALSE(is_blocked(signal));
  }
  CHECK_FALSE(run_beside([] { return is_blocked(SIGSEGV) || is_blocked(SIGBUS); }).get());
}

TEST_CASE("a thread that uses OpenMP has as many threads as before") {
  const int before = omp_get_max_threads();
  omp_set_num_threads(3);
  {
    const OneThread one;
    CHECK(omp_get_max_threads() == 1);
  }
  CHECK(omp_get_max_threads() == 3);
  omp_set_num_threads(before);
}

}  // namespace
}  // namespace elmo
