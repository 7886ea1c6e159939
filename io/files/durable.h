// Files that survive a crash of the machine.
#pragma once

#include <filesystem>
#include <string_view>

namespace elmo {

/// Ends the name of a file that is being made; it loses that once it is whole.
inline constexpr const char* kUnfinished = ".unfinished";

/// Waits until the file's content, or a folder's list of names, is on the disk. SystemError naming
/// the path and the system's reason.
void sync_path(const std::filesystem::path& path);

/// Gives a file its final name, replacing one of that name. SystemError as above.
void rename_path(const std::filesystem::path& from, const std::filesystem::path& to);

/// Removes a file, or an empty folder, where there is one. SystemError as above.
void remove_path(const std::filesystem::path& path);

/// Writes a new file of that content and syncs it; no file is left where that fails. SystemError as
/// above.
void write_synced(const std::filesystem::path& path, std::string_view content);

/// The same for a file that may be there already: whenever it is, it is whole. SystemError as
/// above.
void replace_file(const std::filesystem::path& path, std::string_view content);

}  // namespace elmo
