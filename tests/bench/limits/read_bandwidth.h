// The speed at which this machine reads memory.
#pragma once

#include <cstddef>

namespace elmo {

/// Returns the bytes per second at which `threads` threads together read `bytes` bytes, each its
/// own part: the median of a few repetitions. A small `bytes` measures a cache.
double measure_read_bandwidth(std::size_t bytes, int threads);

}  // namespace elmo
