// The number of threads that this process may compute with.
#pragma once

#include <optional>
#include <string>

namespace elmo {

/// The number of threads that can run at once: the processors in the process's affinity mask,
/// limited by its control groups' quota of processor time, rounded up. At least 1. Any thread.
int available_threads();

/// `requested`, or available_threads() if that is 0. Any thread.
inline int threads_or_available(int requested) {
  return requested > 0 ? requested : available_threads();
}

/// The quota of the process's control groups (versions 1 and 2) in processors: the lowest quota of
/// its group and all groups above. Nothing if there is no quota or it cannot be read. `root` is the
/// folder used as / (for tests). Any thread.
std::optional<double> processor_quota(const std::string& root);

}  // namespace elmo
