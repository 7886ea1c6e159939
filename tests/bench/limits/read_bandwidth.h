// How fast this machine reads memory.
#pragma once

#include <cstddef>

namespace elmo {

/// Bytes per second at which `threads` threads together read `bytes` bytes, a part each, over and
/// over: the median of a few times. Few bytes are read from a cache, as whatever else has that size
/// is.
double measure_read_bandwidth(std::size_t bytes, int threads);

}  // namespace elmo
