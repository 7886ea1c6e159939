#include "core/parallel/available_memory.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

TEST_CASE("the limit on memory of control groups, version 2, is the least of all groups above") {
  const TempDir root;
  write(root.path() / "proc/self/mountinfo",
        "30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
  write(root.path() / "proc/self/cgroup", "0::/jobs/mine\n");
  CHECK(memory_limit(root.path().string()) == std::nullopt);
  write(root.path() / "sys/fs/cgroup/jobs/mine/memory.max", "max\n");
  CHECK(memory_limit(root.path().string()) == std::nullopt);
  write(root.path() / "sys/fs/cgroup/jobs/memory.max", "4294967296\n");
  CHECK(memory_limit(root.path().string()) == 4294967296U);
  write(root.path() / "sys/fs/cgroup/jobs/mine/memory.max", "1073741824\n");
  CHECK(memory_limit(root.path().string()) == 1073741824U);
}

TEST_CASE("the limit on memory of control groups, version 1") {
  const TempDir root;
  write(root.path() / "proc/self/mountinfo",
        "31 22 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
        "32 22 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n");
  write(root.path() / "proc/self/cgroup", "4:memory:/job\n3:cpu,cpuacct:/other\n");
  write(root.path() / "sys/fs/cgroup/memory/job/memory.limit_in_bytes", "536870912\n");
  CHECK(memory_limit(root.path().string()) == 536870912U);
}

TEST_CASE("some memory is available, and no more than the limits say") {
  CHECK(available_memory() > 0);
  if (const auto limit = memory_limit("")) CHECK(available_memory() <= *limit);
}

}  // namespace
}  // namespace elmo
