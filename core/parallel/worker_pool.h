// A pool of threads that run jobs.
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

/// Runs jobs in the order added, on a fixed number of threads. Jobs may add jobs. Any thread.
class WorkerPool {
 public:
  /// Receives the index of the worker that runs it, 0 … workers − 1, so that callers can keep a
  /// workspace for each worker.
  using Job = std::function<void(int worker)>;

  /// Called on the worker with the exception that ended a job.
  using FailureHandler = std::function<void(std::exception_ptr)>;

  /// Each worker lets oneDNN use `threads_per_worker` threads. SystemError if a thread cannot be
  /// started; those already started have ended by then.
  WorkerPool(int workers, int threads_per_worker, FailureHandler on_failure);

  /// For tests: `start` starts the threads.
  WorkerPool(int workers, int threads_per_worker, FailureHandler on_failure,
             const ThreadStarter& start);

  /// For jobs that do not throw: an exception ends the process. Jobs of run_all() may throw.
  WorkerPool(int workers, int threads_per_worker);

  ~WorkerPool() { close(); }

  /// Finishes the running jobs, drops the waiting jobs and any added meanwhile, and joins the
  /// threads.
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

/// Runs `jobs` on the pool's workers and returns when all have ended. Rethrows the exception of the
/// first job, in their order, that failed. The pool must stay open meanwhile, and a job must not
/// wait for other jobs of the same pool.
void run_all(WorkerPool& pool, std::span<const WorkerPool::Job> jobs);

}  // namespace elmo
