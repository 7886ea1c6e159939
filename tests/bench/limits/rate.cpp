#include "tests/bench/limits/rate.h"

#include <algorithm>
#include <array>
#include <barrier>
#include <chrono>
#include <cstddef>
#include <numeric>
#include <vector>

#include "core/workers.h"

namespace elmo {

namespace {

// An odd number, so that the median is one of the measurements.
constexpr std::size_t kRuns = 5;

}  // namespace

double side_by_side_rate(std::span<const std::function<void()>> work, double amount,
                         int threads_each) {
  using Clock = std::chrono::steady_clock;
  std::barrier warm(static_cast<std::ptrdiff_t>(work.size()));
  std::vector<double> rates(work.size());
  // There are as many workers as jobs: each takes one and waits for the others.
  Workers workers(static_cast<int>(work.size()), threads_each);
  workers.run(work.size(), [&](std::size_t i) {
    work[i]();
    warm.arrive_and_wait();
    std::array<double, kRuns> seconds{};
    for (double& time : seconds) {
      const auto start = Clock::now();
      work[i]();
      time = std::chrono::duration<double>(Clock::now() - start).count();
    }
    std::nth_element(seconds.begin(), seconds.begin() + kRuns / 2, seconds.end());
    rates[i] = amount / seconds[kRuns / 2];
  });
  return std::accumulate(rates.begin(), rates.end(), 0.0);
}

}  // namespace elmo
