// Threads for the measurements.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/inference/scheduler.h"
#include "core/workers.h"

namespace elmo {

/// Threads like those of embed, each with its workspace. One thread at a time.
class Team {
 public:
  using Job = std::function<void(Workspace&)>;

  /// Errors: as Workers.
  Team(int workers, int threads_each);

  int workers() const { return static_cast<int>(workspaces_.size()); }

  /// Runs all jobs and waits for them. Throws the error of the first job that failed.
  void run(std::span<const Job> jobs);

 private:
  std::vector<Workspace> workspaces_;
  Workers workers_;
};

}  // namespace elmo
