// Files that one process at a time writes. They get their final names only when they are complete.
// Also the lock of a folder. The project writes everything this way, except logs that grow.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <future>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/files/descriptor.h"
#include "io/files/paths.h"

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

/// The folder of a run, which is made if it is missing, and locked against other runs. A folder
/// that may not be written to is not locked: a complete run there is read, and every attempt to
/// write is an error of its own. One owner; not thread-safe.
class OutputFolder {
 public:
  /// SystemError if another process holds the lock or the file cannot be created; otherwise as
  /// MadeFolder.
  explicit OutputFolder(const std::filesystem::path& folder);
  ~OutputFolder();  ///< removes the lock file, and the folders that were made if they stayed empty
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// A warning for the user if the file system has no locks, so that no other run is kept out;
  /// otherwise empty.
  const std::string& warning() const { return warning_; }

 private:
  MadeFolder made_;
  std::filesystem::path path_;  ///< of the lock
  LockedFile file_;
  std::string warning_;
};

/// A run either creates, continues or replaces the run in its folder.
enum class RunMode {
  create,    ///< start in a missing or empty folder
  resume,    ///< continue the run in the folder, or start one
  overwrite  ///< remove the run in the folder, and start
};

/// Returns what to do with the run in the output folder. At most one of the two arguments is true.
constexpr RunMode run_mode(bool resume, bool overwrite) {
  return overwrite ? RunMode::overwrite : resume ? RunMode::resume : RunMode::create;
}

/// Suffix of the name of an unfinished file.
inline constexpr const char* kUnfinished = ".unfinished";

/// Returns the final name of the unfinished file `name`, or nothing if `name` does not belong to an
/// unfinished file. Used to recognize files that a killed writer left.
std::optional<std::string> finished_name(std::string_view name);

/// A step of publishing that has been completed.
enum class FileStep { synced, renamed, folder_synced };
using FileListener = std::function<void(FileStep)>;

/// The file that publishing replaces if the name is a symbolic link.
enum class Links {
  followed,  ///< the file that the link leads to
  replaced   ///< the link itself; the file that it leads to stays
};

/// A file that is written next to its final path under an unfinished name, in large blocks, by
/// append() or by other writers that open temporary_path(). publish() gives it its final name. The
/// destructor removes the file unless it was published or kept. Errors: SystemError with the path
/// and the system's reason. Movable; one thread.
///
/// No two writers write the same file: the unfinished file is locked. If a killed writer left one,
/// it is taken over. On a file system without locks, the name contains this host and process:
/// `NAME@HOST-PID.unfinished` instead of `NAME.unfinished`.
class AtomicFile {
 public:
  /// Creates an empty file that will become `path`. Errors: as output_target; SystemError if
  /// another process is writing that file.
  explicit AtomicFile(const std::filesystem::path& path, Links links = Links::followed);
  ~AtomicFile();
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;

  void append(std::span<const std::byte> bytes);
  void append(std::string_view text) { append(std::as_bytes(std::span(text))); }
  /// Overwrites the beginning of the file; `bytes` must not be longer than what was appended.
  void replace_beginning(std::span<const std::byte> bytes);
  void flush();  ///< writes to the system, so that the file at temporary_path() is complete
  void sync();   ///< writes to the disk
  /// Starts to sync, on another thread, what has been written so far, while writing continues.
  /// sync() then waits for less. The future throws if syncing fails; it may outlive the object.
  std::future<void> sync_beside() const;

  /// Syncs the file unless nothing was appended since the last sync(), renames it to its final
  /// name, replacing an existing file, and syncs the folder. Nothing may be written afterwards.
  void publish(const FileListener& listener = nullptr);
  /// Keeps the unfinished file in the destructor, for the caller to rename or remove.
  void keep();

  const std::filesystem::path& path() const { return path_; }  ///< resolved if links are followed
  const std::filesystem::path& temporary_path() const { return temporary_path_; }
  /// Warning if the file system has no locks, so that another process may publish the same path;
  /// else empty.
  std::string warning() const;

 private:
  void write(std::string_view text);

  std::filesystem::path path_;
  std::filesystem::path temporary_path_;
  Descriptor descriptor_;
  std::string block_;
  bool locked_ = false;
  bool synced_ = false;
  bool owned_ = false;  ///< the destructor removes the temporary file
};

/// Writes a whole file, unless it has this content already: the files of a complete run may be in a
/// folder that cannot be written. Errors as AtomicFile.
void replace_file(const std::filesystem::path& path, std::string_view content);

}  // namespace elmo
