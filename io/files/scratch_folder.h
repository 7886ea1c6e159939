// Folders for temporary files.
#pragma once

#include <filesystem>

namespace elmo {

/// A temporary folder in TMPDIR (or /tmp). The destructor removes it with its contents. SystemError
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
