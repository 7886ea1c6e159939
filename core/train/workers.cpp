#include "core/train/workers.h"

#include <algorithm>
#include <vector>

namespace elmo {

Workers::Workers(int threads)
    : pool_(std::clamp(threads, 1, kHalves), std::max(1, threads / kHalves)) {}

void Workers::run(const std::function<void(int half)>& job) {
  std::vector<WorkerPool::Job> jobs;
  for (int half = 0; half < kHalves; ++half) jobs.emplace_back([&, half](int) { job(half); });
  run_all(pool_, jobs);
}

}  // namespace elmo
