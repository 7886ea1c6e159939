#include "cli/common/measured.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <string>
#include <system_error>
#include <vector>

#include "io/files/paths.h"

namespace elmo {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t kMaxTimedSteps = 50;
constexpr double kSeconds = 10;

}  // namespace

double seconds_of(const std::function<void()>& work) {
  const steady_clock::time_point start = steady_clock::now();
  work();
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

double median_step_seconds(const std::function<void()>& step) {
  step();
  std::vector<double> times;
  for (double sum = 0; times.size() < kMaxTimedSteps && sum < kSeconds; sum += times.back()) {
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

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
  std::string name = (temporary_folder() / "elmo-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) refuse_temporary(fs::path(name).parent_path(), errno);
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace elmo
