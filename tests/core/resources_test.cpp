#include "core/resources.h"

#include <doctest/doctest.h>
#include <sched.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

TEST_CASE("memory limit of control groups, version 2: the lowest of all groups above") {
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

TEST_CASE("memory limit of control groups, version 1") {
  const TempDir root;
  write(root.path() / "proc/self/mountinfo",
        "31 22 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
        "32 22 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n");
  write(root.path() / "proc/self/cgroup", "4:memory:/job\n3:cpu,cpuacct:/other\n");
  write(root.path() / "sys/fs/cgroup/memory/job/memory.limit_in_bytes", "536870912\n");
  CHECK(memory_limit(root.path().string()) == 536870912U);
  write(root.path() / "sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n");
  CHECK(memory_limit(root.path().string()) == std::nullopt);
}

TEST_CASE("some memory is available, at most the limits") {
  CHECK(available_memory() > 0);
  if (const auto limit = memory_limit("")) CHECK(available_memory() <= *limit);
}

// The files that list a process's control groups, under a folder in place of /.
class Root {
 public:
  void write(const std::string& path, const std::string& text) const {
    const std::filesystem::path file = folder_ / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  std::optional<double> quota() const { return processor_quota(folder_.path().string()); }

 private:
  TempDir folder_;
};

TEST_CASE("quota of control groups, version 2: the lowest of the group and those above") {
  const Root root;
  root.write("proc/self/mountinfo",
             "22 1 0:21 / /proc rw - proc proc rw\n"
             "30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
  root.write("proc/self/cgroup", "0::/jobs/mine\n");
  CHECK(root.quota() == std::nullopt);
  root.write("sys/fs/cgroup/jobs/mine/cpu.max", "max 100000\n");
  CHECK(root.quota() == std::nullopt);
  root.write("sys/fs/cgroup/jobs/cpu.max", "350000 100000\n");
  CHECK(root.quota() == 3.5);
  root.write("sys/fs/cgroup/jobs/mine/cpu.max", "50000 100000\n");
  CHECK(root.quota() == 0.5);
  root.write("sys/fs/cgroup/jobs/cpu.max", "40000 100000\n");
  CHECK(root.quota() == 0.4);
}

TEST_CASE("quota of control groups, version 1") {
  const Root root;
  root.write("proc/self/mountinfo",
             "31 22 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
             "32 22 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n");
  root.write("proc/self/cgroup", "4:memory:/other\n3:cpu,cpuacct:/job\n0::/unified\n");
  root.write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  root.write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
  CHECK(root.quota() == std::nullopt);
  root.write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "150000\n");
  CHECK(root.quota() == 1.5);
}

TEST_CASE("in a container the group is the mounted one") {
  const Root root;
  root.write("proc/self/mountinfo",
             "40 30 0:28 /docker/1a /sys/fs/cgroup/cpu ro master:9 - cgroup cgroup rw,cpu\n");
  root.write("proc/self/cgroup", "3:cpu:/docker/1a\n");
  root.write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "50000\n");
  root.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000\n");
  CHECK(root.quota() == 2.0);
  root.write("proc/self/cgroup", "3:cpu:/../outside\n");
  CHECK(root.quota() == 2.0);
  root.write("proc/self/cgroup", "3:cpu:/docker/1a/inner\n");
  root.write("sys/fs/cgroup/cpu/inner/cpu.cfs_period_us", "50000\n");
  root.write("sys/fs/cgroup/cpu/inner/cpu.cfs_quota_us", "25000\n");
  CHECK(root.quota() == 0.5);
}

TEST_CASE("there is no quota if it cannot be read or parsed") {
  const Root root;
  CHECK(root.quota() == std::nullopt);
  root.write("proc/self/mountinfo",
             "30 22 - cgroup2\n\nnonsense - -\n30 22 0:26 / /g rw - cgroup2 x y");
  root.write("proc/self/cgroup", "::\nnonsense\n");
  root.write("g/cpu.max", "lots of time\n");
  CHECK(root.quota() == std::nullopt);
  root.write("g/cpu.max", "100000 0\n");
  CHECK(root.quota() == std::nullopt);
}

TEST_CASE("an affinity mask bounds the number of threads") {
  // Runs on its own thread, so that its CPU mask affects no other test.
  std::thread([] {
    const int before = available_threads();
    CHECK(before >= 1);
    CHECK(threads_or_available(0) == before);
    CHECK(threads_or_available(before + 1) == before + 1);
    cpu_set_t allowed;
    REQUIRE(sched_getaffinity(0, sizeof allowed, &allowed) == 0);
    CHECK(before <= CPU_COUNT(&allowed));
    int first = 0;
    while (!CPU_ISSET(first, &allowed)) ++first;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
    CHECK(available_threads() == 1);
  }).join();
}

}  // namespace

}  // namespace elmo
