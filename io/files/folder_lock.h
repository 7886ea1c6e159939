// One run at a time in a folder.
#pragma once

#include <filesystem>

namespace elmo {

/// Holds a folder's lock file locked. The system unlocks it when the process ends, however it ends,
/// so a lock file left behind locks nothing. One owner; not shared between threads.
class FolderLock {
 public:
  /// SystemError where another process holds the lock, or where the file cannot be made.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();  ///< removes the lock file
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace elmo
