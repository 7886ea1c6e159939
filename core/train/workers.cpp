#include "core/train/workers.h"

#include <algorithm>
#include <array>
#include <exception>
#include <latch>

namespace elmo {

Workers::Workers(int threads)
    : pool_(std::clamp(threads, 1, kHalves), std::max(1, threads / kHalves),
            [](const std::exception_ptr&) {}) {}

void Workers::run(const std::function<void(int half)>& job) {
  std::latch ended(kHalves);
  std::array<std::exception_ptr, kHalves> failures;
  for (int half = 0; half < kHalves; ++half) {
    pool_.add([&, half](Workspace&) {
      try {
        job(half);
      } catch (...) {
        failures[static_cast<std::size_t>(half)] = std::current_exception();
      }
      ended.count_down();
    });
  }
  ended.wait();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace elmo
