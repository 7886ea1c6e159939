// The only file of core that reads files: how many threads there are is told by the kernel in /proc
// and /sys, and it is a fact of the machine, not of what anybody computes.
#include "core/parallel/available_threads.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <sstream>
#include <string_view>
#include <thread>
#include <vector>

namespace elmo {

namespace {

// More processors than Linux knows; a mask of that size is 8 KiB.
constexpr int kMostProcessors = 1 << 16;

// Processors in the affinity mask.
int allowed_processors() {
  const std::size_t bytes = CPU_ALLOC_SIZE(kMostProcessors);
  std::vector<std::byte> memory(bytes);
  auto* mask = reinterpret_cast<cpu_set_t*>(memory.data());
  if (sched_getaffinity(0, bytes, mask) == 0) return CPU_COUNT_S(bytes, mask);
  return static_cast<int>(std::thread::hardware_concurrency());
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

bool holds(const std::vector<std::string>& parts, std::string_view wanted) {
  return std::find(parts.begin(), parts.end(), wanted) != parts.end();
}

// Where the hierarchy that bounds processor time is seen.
struct Mount {
  int version = 0;     // of control groups
  std::string group;   // the group at the mount point
  std::string folder;  // the mount point
};

// A line of mountinfo (proc(5)): id, parent, device, group, mount point, options, …, "-", type,
// source, options of the type.
std::optional<Mount> parse_mount(const std::string& line) {
  const std::vector<std::string> fields = split(line, ' ');
  const auto dash = std::find(fields.begin(), fields.end(), "-");
  if (dash - fields.begin() < 6 || fields.end() - dash < 4) return std::nullopt;
  const std::string& type = *(dash + 1);
  if (type == "cgroup2") return Mount{2, fields[3], fields[4]};
  if (type == "cgroup" && holds(split(*(dash + 3), ','), "cpu")) {
    return Mount{1, fields[3], fields[4]};
  }
  return std::nullopt;
}

// The process's group in the hierarchy of `version`. A line of cgroup (cgroups(7)) is "number:
// controllers:group"; version 2 has the number 0 and no controllers.
std::optional<std::string> group_of_process(const std::string& root, int version) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool is_it = version == 2 ? controllers.empty() : holds(split(controllers, ','), "cpu");
    if (is_it) return line.substr(second + 1);
  }
  return std::nullopt;
}

// The quota of one group, in processors.
std::optional<double> quota_of_group(const std::string& folder, int version) {
  double quota = 0.0;
  double period = 0.0;
  if (version == 2) {
    std::ifstream file(folder + "/cpu.max");  // "max 100000" or "150000 100000"
    file >> quota >> period;
  } else {
    std::ifstream(folder + "/cpu.cfs_quota_us") >> quota;  // -1: none
    std::ifstream(folder + "/cpu.cfs_period_us") >> period;
  }
  if (quota > 0.0 && period > 0.0) return quota / period;
  return std::nullopt;
}

}  // namespace

std::optional<double> processor_quota(const std::string& root) {
  std::optional<double> least;
  std::ifstream mounts(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    const std::optional<Mount> mount = parse_mount(line);
    if (!mount) continue;
    // Below the mount point stands what the group's name has beyond the mounted group's. A group
    // that is not seen there leaves the mount point itself.
    std::string group = group_of_process(root, mount->version).value_or("");
    const std::string above = mount->group == "/" ? "" : mount->group;
    group = group.starts_with(above + "/") ? group.substr(above.size()) : "";
    while (true) {
      const auto quota = quota_of_group(root + mount->folder + group, mount->version);
      if (quota && (!least || *quota < *least)) least = quota;
      if (group.empty()) break;
      group.erase(group.rfind('/'));
    }
  }
  return least;
}

int available_threads() {
  int threads = allowed_processors();
  if (const std::optional<double> quota = processor_quota("")) {
    threads = static_cast<int>(std::min<double>(threads, std::ceil(*quota)));
  }
  return std::max(1, threads);
}

}  // namespace elmo
