// Locks that allow one writer at a time.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "io/files/descriptor.h"

namespace elmo {

/// The file that a run keeps locked in its output folder.
inline constexpr const char* kFolderLockFile = ".elmo.lock";

/// A file that is open for writing.
struct LockedFile {
  Descriptor descriptor;
  bool locked = false;  ///< false if its file system has no locks (some network file systems)
};

/// Opens a file, creating it if needed, and locks it against other processes. A link of that name
/// is removed, not followed. The system releases the lock when the descriptor is closed or the
/// process ends for any reason, so a leftover file locks nothing. Returns nothing if another
/// process holds the lock. SystemError if the file cannot be opened or locking fails.
std::optional<LockedFile> open_locked(const std::filesystem::path& path);

/// Returns a warning that the file system of `output` has no locks.
std::string no_lock_warning(const std::filesystem::path& output);

/// Keeps other runs out of a folder. One owner; not thread-safe.
class FolderLock {
 public:
  /// SystemError if another process holds the lock or the file cannot be created.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();  ///< removes the lock file
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// A warning for the user if the file system has no locks, so that no other run is kept out;
  /// otherwise empty.
  const std::string& warning() const { return warning_; }

 private:
  std::filesystem::path path_;
  LockedFile file_;
  std::string warning_;
};

}  // namespace elmo
