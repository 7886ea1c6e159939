// Time and memory of a run, as dry runs measure them, and a folder for temporary files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

namespace elmo {

/// Returns the median time of a step, in seconds, over 50 steps or as many as fit into 10 seconds.
/// The first step allocates memory and is not counted. Errors: as the step's.
double median_step_seconds(const std::function<void()>& step);

/// Runs `work` and returns its time in seconds.
double seconds_of(const std::function<void()>& work);

/// Returns the peak memory of this process so far, in bytes.
std::uint64_t peak_memory_bytes();

/// Created in TMPDIR (or /tmp), and removed with its contents at the end of its scope. SystemError
/// if it cannot be created.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace elmo
