// Threads for the measurements.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/inference/scheduler.h"
#include "core/workers.h"

namespace elmo {

/// Threads like the ones that embed, each with its workspace. Not for two threads at once.
class Team {
 public:
  using Job = std::function<void(Workspace&)>;

  /// Errors: as Workers.
  explicit Team(int threads);

  int threads() const { return static_cast<int>(workspaces_.size()); }

  /// Runs all jobs and waits for them. Throws the error of the first job that failed.
  void run(std::span<const Job> jobs);

 private:
  std::vector<Workspace> workspaces_;
  Workers workers_;
};

}  // namespace elmo
