// The likely encoding of text that is not UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace elmo {

/// Returns the likely encoding of a text that begins, or goes on, with `bytes`, as iconv names it:
/// "windows-1252", "UTF-16LE". Empty for UTF-8, also if some of it is damaged, and if no encoding
/// is likely. Knows UTF-16 without a byte order mark, encodings of bytes that are valid ASCII
/// (ISO-2022-JP), and what ICU detects by the frequency of characters. Looks at the first 64 KiB.
std::string other_encoding(std::string_view bytes);

/// Returns the shell command that prints `file`, which may be compressed, in UTF-8.
std::string conversion_command(const std::string& file, const std::string& encoding);

}  // namespace elmo
