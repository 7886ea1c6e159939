// Names what a file holds instead of what was expected.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace elmo {

/// Number of bytes of a file that foreign_content needs.
inline constexpr std::size_t kForeignHeadBytes = 512;

/// Says what a file with that beginning is and what to do, to be put between its name and what was
/// expected: " is a Git LFS pointer (get the file itself with `git lfs pull`)". Knows what is often
/// found in place of a model: pointers, pages of failed downloads, compressed files, and models in
/// other formats. Empty for anything else.
std::string foreign_content(std::string_view head);

/// The sentence that nothing is downloaded, to be put at the end of a message about a missing file,
/// if `path` is a URL; otherwise empty.
std::string download_advice(const std::filesystem::path& path);

}  // namespace elmo
