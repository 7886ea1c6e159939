// Which files an input stands for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace elmo {

/// What names standard input.
inline constexpr const char* kStandardInput = "-";

struct InputFile {
  std::string path;                   ///< as given, or the folder as given with the path inside it
  std::optional<std::uint64_t> size;  ///< as stored, in bytes; not known for pipes
};

/// Resolves names in the order given: a file is itself, "-" is standard input, a folder is every
/// regular file in it at any depth, in the byte order of their paths. In a folder, names that begin
/// with a full stop are left out, as are sockets, devices and the like; a link to a file counts as
/// that file, a link to a folder is not followed. No names at all mean standard input. InputError
/// for what is missing and for a folder without files, SystemError for what must not be read,
/// RequestError for standard input named twice.
std::vector<InputFile> list_input_files(const std::vector<std::string>& names);

}  // namespace elmo
