// File system operations that survive a crash of the machine, also on network file systems, and
// folders for temporary files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/message.h"

namespace elmo {

/// True if a path leads to anything, to a regular file, or to a folder; links are followed. A name
/// that is too long counts as missing. SystemError if the system cannot tell.
bool is_there(const std::filesystem::path& path);
bool is_file(const std::filesystem::path& path);
bool is_folder(const std::filesystem::path& path);

/// Says why a folder has no file of that name, for the end of its own: " has no NAME", " is
/// missing" or " is a file". SystemError as above.
std::string lack_of(const std::filesystem::path& folder, const char* name);

/// Returns the folder for temporary files: TMPDIR or /tmp. SystemError if it is not a folder.
std::filesystem::path temporary_folder();

/// Throws a SystemError which says that temporary files cannot be written to `folder`, gives the
/// reason `error` (an errno) and recommends setting TMPDIR.
[[noreturn]] void refuse_temporary(const std::filesystem::path& folder, int error);

/// Returns the path that output to `path` goes to: follows symbolic links, even to a file that does
/// not exist yet. RequestError if the target exists and is not a regular file: a device, a pipe, a
/// folder. SystemError if it cannot be examined.
std::filesystem::path output_target(const std::filesystem::path& path);

/// Renames a file, replacing an existing one of the new name. SystemError naming the path and the
/// system's reason.
void rename_path(const std::filesystem::path& from, const std::filesystem::path& to);

/// Removes a file or an empty folder if it exists. SystemError as above.
void remove_path(const std::filesystem::path& path);

/// Removes a folder if it exists and holds nothing. SystemError as above. Nothing removes a folder
/// with its contents: it may hold files of the user.
void remove_if_empty(const std::filesystem::path& folder);

/// Creates a folder and its missing parents. RequestError if the path leads to anything else, or
/// over a link to nothing; SystemError as above.
void make_folder(const std::filesystem::path& folder);

/// Creates a folder and its missing parents. The destructor removes those of them that are empty by
/// then: a command that is refused leaves nothing. Errors: as make_folder. One owner.
class MadeFolder {
 public:
  explicit MadeFolder(const std::filesystem::path& folder);
  ~MadeFolder();
  MadeFolder(const MadeFolder&) = delete;
  MadeFolder& operator=(const MadeFolder&) = delete;

 private:
  std::vector<std::filesystem::path> made_;  ///< the innermost first
};

/// Waits until a folder's list of names is on the disk, if its file system supports this. The empty
/// path, the parent of a plain name, is the current folder. SystemError as above.
void sync_folder(const std::filesystem::path& path);

/// Returns the names in a folder, sorted; empty if the folder is missing or is no folder. Leaves
/// out what network file systems keep of removed files (.nfs…). SystemError as above.
std::vector<std::string> names_in(const std::filesystem::path& folder);

/// Formats a number for file names, padded with zeros to `digits` digits: "00042".
std::string padded(std::uint64_t number, std::size_t digits);

/// Raises the process's limit on open files to the maximum that it may set itself. Best effort:
/// never fails.
void raise_open_file_limit();

/// Throws RequestError if the file `output`, given by `setting`, is one of `inputs`, even under
/// another name. Names that are empty or of missing files are ignored.
void require_other_file(Setting setting, const std::string& output,
                        const std::vector<std::string>& inputs);

/// Throws RequestError if the folder `output` is the folder `input` that is read, even under
/// another name.
void require_other_folder(const std::string& output, const std::filesystem::path& input);

/// Returns whether `path` is in `folder` after symbolic links are resolved. `path` need not exist.
bool lies_in(const std::filesystem::path& path, const std::filesystem::path& folder);

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
