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
/// with a full stop are left out. A link to a file counts as that file. A link to a folder is
/// followed, but no folder is read twice: links that lead back, and links to what stands in the
/// folder anyway, add nothing. What is neither file nor folder (dangling links, FIFOs, sockets,
/// devices) is left out of folders; its paths are added to `left_out` where that is given. So is
/// `written`, the file or folder that the output goes to, but silently: whether it is there already
/// makes no difference. Empty: there is none. No names at all mean standard input. InputError for
/// what is missing and for a folder without files, SystemError for what must not be read,
/// RequestError for standard input named twice, and where a name is that of `written`.
std::vector<InputFile> list_input_files(const std::vector<std::string>& names,
                                        std::vector<std::string>* left_out = nullptr,
                                        const std::string& written = {});

/// Whether reading the input takes it away: standard input and pipes, FIFOs, terminals and the
/// like, also behind names such as /dev/fd/3. Not so of files and folders, nor of what is missing.
bool can_be_read_only_once(const std::string& name);

}  // namespace elmo
