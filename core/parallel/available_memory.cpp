#include "core/parallel/available_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "core/parallel/control_groups.h"

namespace elmo {

std::optional<std::uint64_t> memory_limit(const std::string& root) {
  std::optional<std::uint64_t> least;
  for (const ControlGroup& group : control_groups(root, "memory")) {
    const char* file = group.version == 2 ? "memory.max" : "memory.limit_in_bytes";
    std::uint64_t bytes = 0;  // without a limit, version 2 says "max" and version 1 a huge number
    std::istringstream text(limit_text(group, file));
    if (text >> bytes && bytes > 0 && (!least || bytes < *least)) least = bytes;
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

}  // namespace elmo
