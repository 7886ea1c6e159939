// The time and the memory that work takes, for estimates.
#pragma once

#include <cstdint>
#include <functional>

namespace elmo {

/// Returns the median time of a step, in seconds, over 50 steps or as many as fit into 10 seconds.
/// The first step allocates memory and is not counted. Errors: as the step's.
double median_step_seconds(const std::function<void()>& step);

/// Runs `work` and returns its time in seconds.
double seconds_of(const std::function<void()>& work);

/// Returns the peak memory of this process so far, in bytes.
std::uint64_t peak_memory_bytes();

}  // namespace elmo
