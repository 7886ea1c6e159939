// The amount of memory that this process may use.
#pragma once

#include <cstdint>
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

}  // namespace elmo
