#include "core/parallel/workers.h"

#include <vector>

namespace elmo {

void Workers::run(std::size_t jobs, const std::function<void(std::size_t job)>& job) {
  std::vector<WorkerPool::Job> all;
  for (std::size_t i = 0; i < jobs; ++i) all.emplace_back([&job, i](int) { job(i); });
  run_all(pool_, all);
}

}  // namespace elmo
