// Names of files and folders: what survives a crash of the machine, also on network file systems.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace elmo {

/// Whether a path leads to anything, to a regular file, to a folder; links are followed.
/// SystemError where the system does not say. No name is too long for these: nothing is there.
bool is_there(const std::filesystem::path& path);
bool is_file(const std::filesystem::path& path);
bool is_folder(const std::filesystem::path& path);

/// The folder for temporary files: TMPDIR or /tmp. SystemError if it is no folder.
std::filesystem::path temporary_folder();

/// SystemError saying that nothing can be written to that folder, for that errno, and that TMPDIR
/// helps.
[[noreturn]] void refuse_temporary(const std::filesystem::path& folder, int error);

/// Where output to `path` goes: symbolic links are followed, also to a file that is not there yet.
/// RequestError where something is there that is no regular file: a device, a pipe, a folder.
/// SystemError where it cannot be looked at.
std::filesystem::path output_target(const std::filesystem::path& path);

/// Gives a file another name, replacing one of that name. SystemError naming the path and the
/// system's reason.
void rename_path(const std::filesystem::path& from, const std::filesystem::path& to);

/// Removes a file, or an empty folder, where there is one. SystemError as above.
void remove_path(const std::filesystem::path& path);

/// Removes a folder and all that is in it, where there is one. SystemError as above.
void remove_folder(const std::filesystem::path& folder);

/// Makes a folder and those above it where they are missing. SystemError as above.
void make_folder(const std::filesystem::path& folder);

/// Waits until a folder's list of names is on the disk, where its file system supports this.
/// SystemError as above.
void sync_folder(const std::filesystem::path& folder);

/// The names in a folder, sorted; none where it is missing. What network file systems keep of
/// removed files (.nfs…) is not among them. SystemError as above.
std::vector<std::string> names_in(const std::filesystem::path& folder);

}  // namespace elmo
