// The speed of threads that work side by side.
#pragma once

#include <functional>
#include <span>

namespace elmo {

/// Runs all pieces of work at once, each repeatedly on its own thread, where oneDNN computes with
/// `threads_each` threads. Returns the sum over these threads of `amount` per second, by the median
/// time of a run. The first run of each thread is not timed, and all threads finish it before any
/// continues. Work must not throw.
double side_by_side_rate(std::span<const std::function<void()>> work, double amount,
                         int threads_each);

}  // namespace elmo
