// Numbered jobs side by side.
#pragma once

#include <functional>

#include "core/parallel/worker_pool.h"

namespace elmo {

/// Threads of a training. Not for two threads at once.
class Workers {
 public:
  /// Each lets oneDNN compute with `threads_each` threads. SystemError where they cannot be had.
  explicit Workers(int count, int threads_each = 1) : count_(count), pool_(count, threads_each) {}

  int count() const { return count_; }

  /// Runs job(0) … job(jobs − 1), and returns when all have ended. Throws what the first of them
  /// that failed has thrown.
  void run(std::size_t jobs, const std::function<void(std::size_t job)>& job);

 private:
  int count_;
  WorkerPool pool_;
};

}  // namespace elmo
