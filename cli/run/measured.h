// What a run takes, as dry runs measure it.
#pragma once

#include <cstdint>
#include <functional>

namespace elmo {

/// The median time of a step, in seconds: of 50 of them, or as many as fit into 10 seconds, after
/// one that allocates memory. Errors: as the step's.
double median_step_seconds(const std::function<void()>& step);

/// What `work` takes, in seconds.
double seconds_of(const std::function<void()>& work);

/// Bytes of memory that this process has taken at most so far.
std::uint64_t peak_memory_bytes();

}  // namespace elmo
