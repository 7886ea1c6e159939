// Threads for the measurements.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/inference/scheduler.h"
#include "core/parallel/worker_pool.h"

namespace elmo {

/// Threads as embed has them, each with its workspace, for jobs that are waited for. One thread at
/// a time.
class Team {
 public:
  using Job = std::function<void(Workspace&)>;

  /// Errors: as WorkerPool.
  Team(int workers, int threads_each);

  int workers() const { return static_cast<int>(workspaces_.size()); }

  /// Runs all jobs. Throws what the first that failed has thrown.
  void run(std::span<const Job> jobs);

 private:
  std::vector<Workspace> workspaces_;
  WorkerPool pool_;
};

}  // namespace elmo
