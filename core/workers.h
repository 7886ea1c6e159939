// Threads: starting them, workers that run jobs, and how many threads oneDNN uses.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.h"

namespace elmo {

/// Keeps signals to the process away from this thread, and from threads that start meanwhile, until
/// the end of the scope: the handlers of a program that computes with this library run on threads
/// of its own. Does not block the signals of faults, and of profilers.
class BlockedSignals {
 public:
  BlockedSignals();
  ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_{};
};

/// The error to throw if the system cannot start a thread.
SystemError no_thread(const std::system_error& error);

/// Starts a thread, under BlockedSignals. SystemError with the reason if the system cannot start
/// it. Any thread.
std::thread start_thread(std::function<void()> work);

/// Runs `work` on a new thread, under BlockedSignals, and returns a future of its result. The
/// destructor of the last future of the result waits for the thread to end. SystemError with the
/// reason if the system cannot start the thread. Any thread.
template <typename Work>
auto run_beside(Work work) {
  const BlockedSignals blocked;
  try {
    return std::async(std::launch::async, std::move(work));
  } catch (const std::system_error& error) {
    throw no_thread(error);
  }
}

/// Starts a thread; tests replace it to simulate a failure.
using ThreadStarter = std::function<std::thread(std::function<void()>)>;

/// Makes oneDNN use this many threads, including the calling thread, when it is called from this
/// thread. Starts them now, because OpenMP ends the process if it cannot start a thread later.
/// SystemError if they cannot be started; `start` is used to check that. Any thread.
void set_threads_of_this_thread(int threads, const ThreadStarter& start = start_thread);

/// Makes oneDNN use one thread when it is called from this thread, until the end of the scope; then
/// as many as before, for programs that use OpenMP themselves.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
};

/// Runs jobs in the order added, on a fixed number of threads. Jobs may add jobs. Any thread.
class Workers {
 public:
  /// Receives the index of the worker that runs it, 0 … count() − 1, so that callers can keep a
  /// workspace for each worker.
  using Job = std::function<void(int worker)>;

  /// Called on the worker with the exception that ended an added job.
  using FailureHandler = std::function<void(std::exception_ptr)>;

  /// Each worker lets oneDNN use `threads_each` threads. Without `on_failure`, an exception of an
  /// added job ends the process. `start` starts the threads. SystemError if a thread cannot be
  /// started; those already started have ended by then.
  explicit Workers(int count, int threads_each = 1, FailureHandler on_failure = {},
                   const ThreadStarter& start = start_thread);
  ~Workers() { close(); }

  int count() const { return count_; }

  /// Finishes the running jobs, drops the waiting jobs and any added meanwhile, and joins the
  /// threads.
  void close();

  void add(Job job);

  /// Runs job(0) … job(jobs − 1) and returns when all have ended. Rethrows the exception of the
  /// first job, by number, that failed. Nobody may call close() meanwhile, and a job must not wait
  /// for other jobs of the same workers.
  void run(std::size_t jobs, const std::function<void(std::size_t job)>& job);

 private:
  void work(int worker);

  int count_;
  FailureHandler on_failure_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool closed_ = false;
  std::vector<std::thread> threads_;
};

/// Calls work(first, end) for pieces of consecutive rows, in parallel. The pieces depend on the
/// number of rows only, so results do not depend on the number of workers.
template <typename Work>
void for_row_pieces(std::int64_t rows, Workers& workers, Work work) {
  constexpr std::int64_t kPieces = 8;
  // Products of fewer rows do not run at full speed.
  constexpr std::int64_t kMinRows = 48;
  const std::int64_t pieces = std::clamp<std::int64_t>(rows / kMinRows, 1, kPieces);
  workers.run(static_cast<std::size_t>(pieces), [&](std::size_t piece) {
    const std::int64_t first = rows * static_cast<std::int64_t>(piece) / pieces;
    const std::int64_t end = rows * (static_cast<std::int64_t>(piece) + 1) / pieces;
    if (first < end) work(first, end);
  });
}

/// The number of blocks of `block` elements in `size`; the last may be smaller.
constexpr std::int64_t block_count(std::int64_t size, std::int64_t block) {
  return (size + block - 1) / block;
}

/// Calls work(first, end) for each of these blocks, in parallel.
template <typename Work>
void for_blocks(std::int64_t size, std::int64_t block, Workers& workers, const Work& work) {
  workers.run(static_cast<std::size_t>(block_count(size, block)), [&](std::size_t number) {
    const std::int64_t first = static_cast<std::int64_t>(number) * block;
    work(first, std::min(first + block, size));
  });
}

}  // namespace elmo
