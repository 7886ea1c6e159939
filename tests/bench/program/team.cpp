#include "tests/bench/program/team.h"

#include <atomic>
#include <cstddef>

namespace elmo {

Team::Team(int threads) : workspaces_(static_cast<std::size_t>(threads)), workers_(threads) {}

void Team::run(std::span<const Job> jobs) {
  std::atomic<std::size_t> next = 0;
  workers_.run(workspaces_.size(), [&](std::size_t worker) {
    for (std::size_t i = next++; i < jobs.size(); i = next++) jobs[i](workspaces_[worker]);
  });
}

}  // namespace elmo
