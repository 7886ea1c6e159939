// The control groups of this process, which limit its threads and memory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace elmo {

/// A control group: the folder in which the kernel lists its limits.
struct ControlGroup {
  int version = 0;  ///< version of control groups, 1 or 2; file names and formats differ
  std::string folder;
};

/// The process's group and all groups above it that are mounted, in every hierarchy that may limit
/// `controller` ("cpu", "memory"). Empty if they cannot be read. `root` is the folder used as /
/// (for tests). Any thread.
std::vector<ControlGroup> control_groups(const std::string& root, std::string_view controller);

/// The text of a file of the group, such as "cpu.max"; empty if it cannot be read. Any thread.
std::string limit_text(const ControlGroup& group, const std::string& file);

}  // namespace elmo
