// Two jobs side by side.
#pragma once

#include <functional>

#include "core/parallel/worker_pool.h"

namespace elmo {

/// A biLM has two directions, so training's work comes in two equal halves. Not for two threads at
/// once.
class Workers {
 public:
  static constexpr int kHalves = 2;

  /// `threads` in all, shared evenly; with one thread the halves run one after the other.
  explicit Workers(int threads);

  /// Runs job(0) and job(1), and returns when both have ended. Throws what one of them threw.
  void run(const std::function<void(int half)>& job);

 private:
  WorkerPool pool_;
};

}  // namespace elmo
