// Threads that run jobs.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "core/parallel/threads.h"

namespace elmo {

/// Runs jobs, first come first served, on a fixed number of threads. Jobs may add jobs. Safe for
/// any number of threads.
class WorkerPool {
 public:
  /// Is given the index of the worker that runs it, 0 … workers − 1, so that callers can keep what
  /// a worker computes in.
  using Job = std::function<void(int worker)>;

  /// Called, on the worker, with the exception that ended a job.
  using FailureHandler = std::function<void(std::exception_ptr)>;

  /// Each worker lets oneDNN compute with `threads_per_worker` threads. SystemError where not all
  /// threads can be started; those that were have ended by then.
  WorkerPool(int workers, int threads_per_worker, FailureHandler on_failure);

  /// For tests: `start` starts the threads.
  WorkerPool(int workers, int threads_per_worker, FailureHandler on_failure,
             const ThreadStarter& start);

  /// For jobs that do not throw (run_all()'s may): an exception ends the process.
  WorkerPool(int workers, int threads_per_worker);

  ~WorkerPool() { close(); }

  /// Finishes the running jobs, drops the waiting ones and those they add, and joins the threads.
  void close();

  void add(Job job);

 private:
  void work(int worker);

  FailureHandler on_failure_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool closed_ = false;
  std::vector<std::thread> threads_;
};

/// Runs `jobs` on the pool's workers and returns when all have ended. Throws what the first of them
/// (in their order) that failed has thrown. The pool must stay open meanwhile, and a job must not
/// wait for jobs of the same pool.
void run_all(WorkerPool& pool, std::span<const WorkerPool::Job> jobs);

}  // namespace elmo
