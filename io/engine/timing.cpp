#include "io/engine/timing.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace elmo {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t kMaxTimedSteps = 50;
constexpr double kSeconds = 10;

}  // namespace

double seconds_of(const std::function<void()>& work) {
  const steady_clock::time_point start = steady_clock::now();
  work();
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

double median_step_seconds(const std::function<void()>& step) {
  step();
  std::vector<double> times;
  for (double sum = 0; times.size() < kMaxTimedSteps && sum < kSeconds; sum += times.back()) {
    times.push_back(seconds_of(step));
  }
  // The upper median of an even number.
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) << 10U;
}

}  // namespace elmo
