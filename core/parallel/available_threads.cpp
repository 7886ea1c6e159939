#include "core/parallel/available_threads.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <sstream>
#include <thread>
#include <vector>

#include "core/parallel/control_groups.h"

namespace elmo {

namespace {

// More processors than Linux knows; a mask of that size is 8 KiB.
constexpr int kMaxProcessors = 1 << 16;

// Processors in the affinity mask.
int allowed_processors() {
  const std::size_t bytes = CPU_ALLOC_SIZE(kMaxProcessors);
  std::vector<std::byte> memory(bytes);
  auto* mask = reinterpret_cast<cpu_set_t*>(memory.data());
  if (sched_getaffinity(0, bytes, mask) == 0) return CPU_COUNT_S(bytes, mask);
  return static_cast<int>(std::thread::hardware_concurrency());
}

// The quota of one group, in processors.
std::optional<double> quota_of_group(const ControlGroup& group) {
  double quota = 0.0;
  double period = 0.0;
  if (group.version == 2) {
    std::istringstream(limit_text(group, "cpu.max")) >> quota >> period;  // or "max 100000"
  } else {
    std::istringstream(limit_text(group, "cpu.cfs_quota_us")) >> quota;  // -1: none
    std::istringstream(limit_text(group, "cpu.cfs_period_us")) >> period;
  }
  if (quota > 0.0 && period > 0.0) return quota / period;
  return std::nullopt;
}

}  // namespace

std::optional<double> processor_quota(const std::string& root) {
  std::optional<double> least;
  for (const ControlGroup& group : control_groups(root, "cpu")) {
    const auto quota = quota_of_group(group);
    if (quota && (!least || *quota < *least)) least = quota;
  }
  return least;
}

int available_threads() {
  int threads = allowed_processors();
  if (const std::optional<double> quota = processor_quota("")) {
    threads = static_cast<int>(std::min<double>(threads, std::ceil(*quota)));
  }
  return std::max(1, threads);
}

}  // namespace elmo
