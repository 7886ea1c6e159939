// A folder for temporary files.
#pragma once

#include <filesystem>

namespace elmo {

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
