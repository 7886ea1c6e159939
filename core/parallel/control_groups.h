// The control groups of this process, whose limits bound threads and memory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace elmo {

/// A group, as a folder in which the kernel lists its limits.
struct ControlGroup {
  int version = 0;  ///< of control groups, 1 or 2: names and form of the files differ
  std::string folder;
};

/// The process's group and all groups above it, as far as they are mounted, in every hierarchy that
/// bounds what `controller` ("cpu", "memory") is about; none where that cannot be read. `root` is
/// the folder that stands for / (for tests). Any thread.
std::vector<ControlGroup> control_groups(const std::string& root, std::string_view controller);

/// The text of a file of the group, such as "cpu.max"; empty where it cannot be read. Any thread.
std::string limit_text(const ControlGroup& group, const std::string& file);

}  // namespace elmo
