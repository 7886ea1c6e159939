// One writer at a time.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "io/files/descriptor.h"

namespace elmo {

/// The file that a run keeps locked in the folder it writes into.
inline constexpr const char* kFolderLockFile = ".elmo.lock";

/// A file that is open for writing.
struct LockedFile {
  Descriptor descriptor;
  bool locked = false;  ///< false where its file system knows no locks (some network ones)
};

/// Opens a file, made where it is missing, and locks it against other processes. Links of that name
/// are removed, not followed. The system unlocks
/// it when the descriptor is closed or the process ends, however it ends, so a file left behind
/// locks nothing. Nothing where another process holds the lock. SystemError where the file cannot
/// be opened or locking fails.
std::optional<LockedFile> open_locked(const std::filesystem::path& path);

/// Warning if the file system of `output` has no locks.
std::string no_lock_warning(const std::filesystem::path& output);

/// Keeps other runs out of a folder. One owner; not shared between threads.
class FolderLock {
 public:
  /// SystemError where another process holds the lock, or where the file cannot be made.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();  ///< removes the lock file
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// Where the file system knows no locks nobody is kept out: what people are to be told then, else
  /// empty.
  const std::string& warning() const { return warning_; }

 private:
  std::filesystem::path path_;
  LockedFile file_;
  std::string warning_;
};

}  // namespace elmo
