#include "tests/bench/program/team.h"

#include <cstddef>

namespace elmo {

Team::Team(int workers, int threads_each)
    : workspaces_(static_cast<std::size_t>(workers)), pool_(workers, threads_each) {}

void Team::run(std::span<const Job> jobs) {
  std::vector<WorkerPool::Job> with_workspace;
  for (const Job& job : jobs) {
    with_workspace.emplace_back(
        [&](int worker) { job(workspaces_[static_cast<std::size_t>(worker)]); });
  }
  run_all(pool_, with_workspace);
}

}  // namespace elmo
