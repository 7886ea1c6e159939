#include "core/parallel/threads.h"

#include <omp.h>

#include <atomic>
#include <latch>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace elmo {

namespace {

// Starts `count` threads that all run at the same time, then ends them.
void try_threads(int count, const ThreadStarter& start) {
  std::latch tried(1);
  std::vector<std::thread> threads;
  const auto end_all = [&] {
    tried.count_down();
    for (std::thread& thread : threads) thread.join();
  };
  try {
    for (int i = 0; i < count; ++i) threads.push_back(start([&tried] { tried.wait(); }));
  } catch (...) {
    end_all();
    throw;
  }
  end_all();
}

}  // namespace

SystemError no_thread(const std::system_error& error) {
  return SystemError("could not start a thread: " + error.code().message() +
                     "; compute with fewer threads, or raise the limits on processes (ulimit -u) "
                     "and memory (ulimit -v)");
}

std::thread start_thread(std::function<void()> work) {
  try {
    return std::thread(std::move(work));
  } catch (const std::system_error& error) {
    throw no_thread(error);
  }
}

void set_threads_of_this_thread(int threads) { set_threads_of_this_thread(threads, start_thread); }

void set_threads_of_this_thread(int threads, const ThreadStarter& start) {
  if (threads > 1) {
    // One caller at a time, so that each sees how many threads the others have left.
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    try_threads(threads - 1, start);
    omp_set_num_threads(threads);
    // Not on the stack: the thread sanitizer does not see that libgomp's threads have ended their
    // work, and would report the next use of the stack as a race.
    static std::atomic<int> started = 0;
#pragma omp parallel
    ++started;
  } else {
    omp_set_num_threads(1);
  }
}

}  // namespace elmo
