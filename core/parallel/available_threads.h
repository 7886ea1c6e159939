// How many threads this process may compute with.
#pragma once

#include <optional>
#include <string>

namespace elmo {

/// The number of threads that can run at once: the processors that the process may use (its
/// affinity mask), and no more than its control groups' quota of processor time comes to, rounded
/// up. At least 1. Any thread.
int available_threads();

/// `requested` threads, or available_threads() where that is 0. Any thread.
inline int threads_or_available(int requested) {
  return requested > 0 ? requested : available_threads();
}

/// The quota of the process's control groups (versions 1 and 2) in processors: the least of its
/// group and all groups above; nothing where there is none or it cannot be read. `root` is the
/// folder that stands for / (for tests). Any thread.
std::optional<double> processor_quota(const std::string& root);

}  // namespace elmo
