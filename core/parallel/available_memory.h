// How much memory this process may use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace elmo {

/// Bytes of memory that the process may fill: what the machine has, and no more than the limits of
/// its control groups and on its address space (ulimit -v). What others use is not taken off. Any
/// thread.
std::uint64_t available_memory();

/// The limit of the process's control groups (versions 1 and 2) in bytes: the least of its group
/// and all groups above; nothing where there is none or it cannot be read. `root` is the folder
/// that stands for / (for tests). Any thread.
std::optional<std::uint64_t> memory_limit(const std::string& root);

}  // namespace elmo
