// The only file of core that reads files: the kernel reports the limits of a process in /proc and
// /sys.

#include "core/resources.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <new>
#include <sstream>
#include <string_view>
#include <thread>
#include <vector>

#include "core/text.h"

namespace elmo {
namespace {

// A control group: the folder in which the kernel lists its limits.
struct ControlGroup {
  int version = 0;  // version of control groups, 1 or 2; file names and formats differ
  std::string folder;
};

bool holds(const std::vector<std::string_view>& parts, std::string_view wanted) {
  return std::find(parts.begin(), parts.end(), wanted) != parts.end();
}

// The mount point of a hierarchy.
struct Mount {
  int version = 0;     // version of control groups
  std::string group;   // the group at the mount point
  std::string folder;  // the mount point
};

// A line of mountinfo (proc(5)): id, parent, device, group, mount point, options, …, "-", type,
// source, options of the type.
std::optional<Mount> parse_mount(const std::string& line, std::string_view controller) {
  const std::vector<std::string_view> fields = split(line, ' ');
  const auto dash = std::find(fields.begin(), fields.end(), "-");
  if (dash - fields.begin() < 6 || fields.end() - dash < 4) return std::nullopt;
  const std::string_view type = *(dash + 1);
  if (type == "cgroup2") return Mount{2, std::string(fields[3]), std::string(fields[4])};
  if (type == "cgroup" && holds(split(*(dash + 3), ','), controller)) {
    return Mount{1, std::string(fields[3]), std::string(fields[4])};
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

// The process's group and all groups above it that are mounted, in every hierarchy that may limit
// `controller` ("cpu", "memory"). Empty if they cannot be read. `root` is the folder used as /.
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

// The text of a file of the group, such as "cpu.max"; empty if it cannot be read.
std::string limit_text(const ControlGroup& group, const std::string& file) {
  std::string text;
  std::getline(std::ifstream(group.folder + "/" + file), text);
  return text;
}

// More processors than Linux supports; a mask of that size is 8 KiB.
constexpr int kMaxProcessors = 1 << 16;

// Processors in the affinity mask.
int allowed_processors() {
  const std::size_t bytes = CPU_ALLOC_SIZE(kMaxProcessors);
  std::vector<std::byte> memory(bytes);
  auto* mask = reinterpret_cast<cpu_set_t*>(memory.data());
  if (sched_getaffinity(0, bytes, mask) == 0) return CPU_COUNT_S(bytes, mask);
  return static_cast<int>(std::thread::hardware_concurrency());
}

// The quota of one group, in processors.
std::optional<double> quota_of_group(const ControlGroup& group) {
  double quota = 0.0;
  double period = 0.0;
  if (group.version == 2) {
    std::istringstream(limit_text(group, "cpu.max")) >> quota >> period;  // or "max 100000"
  } else {
    std::istringstream(limit_text(group, "cpu.cfs_quota_us")) >> quota;  // -1: none
    std::istringstream(limit_text(group, "cpu.cfs_period_us")) >> period;
  }
  if (quota > 0.0 && period > 0.0) return quota / period;
  return std::nullopt;
}

// Version 1 writes the largest multiple of a page below 2^63 if there is no limit.
constexpr std::uint64_t kUnlimited = std::uint64_t{1} << 62;

using std::chrono::steady_clock;

constexpr std::size_t kMaxTimedSteps = 50;
constexpr double kMaxTimedSeconds = 10;

}  // namespace

std::optional<std::uint64_t> memory_limit(const std::string& root) {
  std::optional<std::uint64_t> least;
  for (const ControlGroup& group : control_groups(root, "memory")) {
    const char* file = group.version == 2 ? "memory.max" : "memory.limit_in_bytes";
    std::uint64_t bytes = 0;  // without a limit, version 2 says "max"
    std::istringstream text(limit_text(group, file));
    const bool limited = text >> bytes && bytes > 0 && bytes < kUnlimited;
    if (limited && (!least || bytes < *least)) least = bytes;
  }
  return least;
}

std::uint64_t available_memory() {
  std::uint64_t bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                        static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  if (const auto limit = memory_limit("")) bytes = std::min(bytes, *limit);
  rlimit addresses{};
  if (getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY) {
    bytes = std::min<std::uint64_t>(bytes, addresses.rlim_cur);
  }
  return bytes;
}

std::optional<double> processor_quota(const std::string& root) {
  std::optional<double> least;
  for (const ControlGroup& group : control_groups(root, "cpu")) {
    const auto quota = quota_of_group(group);
    if (quota && (!least || *quota < *least)) least = quota;
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

void use_huge_pages(void* memory, std::size_t bytes) {
  // Kernels without huge pages refuse; small pages serve as well.
  if (bytes >= kHugePage) ::madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
}

void require_free_memory(std::size_t bytes) {
  void* const memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  ::munmap(memory, bytes);
}

std::function<double()> start_clock() {
  return [begin = steady_clock::now()] {
    return std::chrono::duration<double>(steady_clock::now() - begin).count();
  };
}

double seconds_of(const std::function<void()>& work) {
  const std::function<double()> seconds = start_clock();
  work();
  return seconds();
}

double median_step_seconds(const std::function<void()>& step) {
  step();
  std::vector<double> times;
  for (double sum = 0; times.size() < kMaxTimedSteps && sum < kMaxTimedSeconds;
       sum += times.back()) {
    times.push_back(seconds_of(step));
  }
  // The upper median of an even number.
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) << 10U;
}

}  // namespace elmo
