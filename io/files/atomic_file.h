// Files that have their names only once they are whole. Everything the project writes to a disk is
// written this way, except logs that grow.
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

namespace elmo {

/// Ends the name of a file that is being made.
inline constexpr const char* kUnfinished = ".unfinished";

/// The name that a file will have when it is finished; nothing where `name` is not that of an
/// unfinished one. What a killed writer left is recognized by this.
std::optional<std::string> finished_name(std::string_view name);

/// What has been done for good.
enum class FileStep { synced, renamed, folder_synced };
using FileListener = std::function<void(FileStep)>;

/// Written beside under an unfinished name, in large blocks, by append() or by others who know
/// temporary_path(); publish() gives it its name. Removed at the end of its scope unless it was
/// published. Errors: SystemError naming the path and the system's reason. Movable; one thread.
///
/// No two writers write the same file: the unfinished one is locked, and taken over where a killed
/// writer left it. Where the file system knows no locks its name is one of this host and process,
/// `NAME@HOST-PID.unfinished` instead of `NAME.unfinished`.
class AtomicFile {
 public:
  /// Begins an empty file that is to be `path`, or what `path` links to. Errors as output_target;
  /// SystemError where another process is writing that file.
  explicit AtomicFile(const std::filesystem::path& path);
  ~AtomicFile();
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;

  void append(std::span<const std::byte> bytes);
  void append(std::string_view text) { append(std::as_bytes(std::span(text))); }
  /// Writes over what the file begins with; at most as much as was appended.
  void replace_beginning(std::span<const std::byte> bytes);
  void flush();  ///< to the system, so that the file at temporary_path() holds all
  void sync();   ///< to the disk
  /// Begins to sync what has been written so far by others, on a thread of its own, while they go
  /// on writing: sync() has less to wait for then. The future throws where that fails; it may
  /// outlive the object.
  std::future<void> sync_beside() const;

  /// Syncs, unless that was done since the last append(), gives the file its name, replacing one of
  /// that name, and syncs the folder. Nothing may be written after.
  void publish(const FileListener& listener = nullptr);
  /// Leaves the unfinished file where it is, for the caller to name or to remove.
  void keep();

  const std::filesystem::path& path() const { return path_; }  ///< behind symbolic links
  const std::filesystem::path& temporary_path() const { return temporary_path_; }
  /// False where the file system knows no locks: another process may publish the same path.
  bool locked() const { return locked_; }

 private:
  void write(std::string_view text);

  std::filesystem::path path_;
  std::filesystem::path temporary_path_;
  Descriptor descriptor_;
  std::string block_;
  bool locked_ = false;
  bool synced_ = false;
  bool owned_ = false;  ///< the temporary file is removed at the end
};

/// Writes a whole file. Errors as AtomicFile.
void replace_file(const std::filesystem::path& path, std::string_view content);

}  // namespace elmo
