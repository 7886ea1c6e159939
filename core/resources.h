// The memory and the threads that this process may use, and the time and the memory that work
// takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace elmo {

/// Bytes of memory that the process may use: the machine's memory, limited by the process's control
/// groups and by its address space (ulimit -v). Memory in use by other processes is not subtracted.
/// Any thread.
std::uint64_t available_memory();

/// The memory limit of the process's control groups (versions 1 and 2) in bytes: the lowest limit
/// of its group and all groups above. Nothing if there is no limit or it cannot be read. `root` is
/// the folder used as / (for tests). Any thread.
std::optional<std::uint64_t> memory_limit(const std::string& root);

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

/// The size of a huge page of x86-64, and of arm64 with pages of 4 KiB.
inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// Asks the kernel to back `memory`, which begins on a boundary of kHugePage, with huge pages: a
/// 512th of the page faults, and fewer misses of the address cache. Leaves bytes after the last
/// whole huge page alone, so memory in use does not grow. Any thread.
void use_huge_pages(void* memory, std::size_t bytes);

/// Throws std::bad_alloc if the system cannot provide `bytes` more memory at once. Any thread.
void require_free_memory(std::size_t bytes);

/// Returns the median time of a step, in seconds, over 50 steps or as many as fit into 10 seconds.
/// The first step allocates memory and is not counted. Errors: as the step's.
double median_step_seconds(const std::function<void()>& step);

/// Runs `work` and returns its time in seconds.
double seconds_of(const std::function<void()>& work);

/// Returns a monotonic clock of the seconds since this call.
std::function<double()> start_clock();

/// Returns the peak memory of this process so far, in bytes.
std::uint64_t peak_memory_bytes();

}  // namespace elmo
