// The only file of core that reads files: the kernel reports the limits of a process in /proc and
// /sys.
#include "core/parallel/control_groups.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

namespace elmo {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

bool holds(const std::vector<std::string>& parts, std::string_view wanted) {
  return std::find(parts.begin(), parts.end(), wanted) != parts.end();
}

// The mount point of a hierarchy.
struct Mount {
  int version = 0;     // of control groups
  std::string group;   // the group at the mount point
  std::string folder;  // the mount point
};

// A line of mountinfo (proc(5)): id, parent, device, group, mount point, options, …, "-", type,
// source, options of the type.
std::optional<Mount> parse_mount(const std::string& line, std::string_view controller) {
  const std::vector<std::string> fields = split(line, ' ');
  const auto dash = std::find(fields.begin(), fields.end(), "-");
  if (dash - fields.begin() < 6 || fields.end() - dash < 4) return std::nullopt;
  const std::string& type = *(dash + 1);
  if (type == "cgroup2") return Mount{2, fields[3], fields[4]};
  if (type == "cgroup" && holds(split(*(dash + 3), ','), controller)) {
    return Mount{1, fields[3], fields[4]};
  }
  return std::nullopt;
}

// The process's group in the hierarchy of `version`. A line of cgroup (cgroups(7)) is "number:
// controllers:group"; version 2 has the number 0 and no controllers.
std::optional<std::string> group_of_process(const std::string& root, int version,
                                            std::string_view controller) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool is_it =
        version == 2 ? controllers.empty() : holds(split(controllers, ','), controller);
    if (is_it) return line.substr(second + 1);
  }
  return std::nullopt;
}

}  // namespace

std::vector<ControlGroup> control_groups(const std::string& root, std::string_view controller) {
  std::vector<ControlGroup> groups;
  std::ifstream mounts(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    const std::optional<Mount> mount = parse_mount(line, controller);
    if (!mount) continue;
    // The group's folder is its name relative to the mounted group, below the mount point. For a
    // group outside the mounted one, only the mount point itself counts.
    std::string group = group_of_process(root, mount->version, controller).value_or("");
    const std::string above = mount->group == "/" ? "" : mount->group;
    group = group.starts_with(above + "/") ? group.substr(above.size()) : "";
    while (true) {
      groups.push_back({mount->version, root + mount->folder + group});
      if (group.empty()) break;
      group.erase(group.rfind('/'));
    }
  }
  return groups;
}

std::string limit_text(const ControlGroup& group, const std::string& file) {
  std::string text;
  std::getline(std::ifstream(group.folder + "/" + file), text);
  return text;
}

}  // namespace elmo
