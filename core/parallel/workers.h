// Numbered jobs that run in parallel.
#pragma once

#include <functional>

#include "core/parallel/worker_pool.h"

namespace elmo {

/// The worker threads of a training. Not for two threads at once.
class Workers {
 public:
  /// Each worker lets oneDNN use `threads_each` threads. SystemError if they cannot be started.
  explicit Workers(int count, int threads_each = 1) : count_(count), pool_(count, threads_each) {}

  int count() const { return count_; }

  /// Runs job(0) … job(jobs − 1) and returns when all have ended. Rethrows the exception of the
  /// first job, by number, that failed.
  void run(std::size_t jobs, const std::function<void(std::size_t job)>& job);

 private:
  int count_;
  WorkerPool pool_;
};

}  // namespace elmo
