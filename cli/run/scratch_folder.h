// A folder for temporary files.
#pragma once

#include <filesystem>

namespace elmo {

/// Made below TMPDIR (or /tmp) and removed with all it holds at the end of its scope. SystemError
/// where it cannot be made.
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
