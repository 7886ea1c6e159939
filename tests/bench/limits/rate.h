// How fast threads work side by side.
#pragma once

#include <functional>
#include <span>

namespace elmo {

/// Runs each piece of work over and over on a thread of its own, which lets oneDNN compute with
/// `threads_each` threads, all at once, and returns
/// the sum over the threads of `amount` divided by the median time of a run, per second. The first
/// runs, which no clock sees, are done by all threads before any continues. Work must not throw.
double side_by_side_rate(std::span<const std::function<void()>> work, double amount,
                         int threads_each);

}  // namespace elmo
