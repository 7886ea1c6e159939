// The encoding of a text: its byte order mark, signatures of files that are not text, and the
// likely encoding of what is not UTF-8.
#pragma once

#include <string>
#include <string_view>

#include "io/text/bytes/byte_stream.h"

namespace elmo {

/// Returns the likely encoding of a text that begins, or goes on, with `bytes`, as iconv names it:
/// "windows-1252", "UTF-16LE". Empty for UTF-8, also if some of it is damaged, and if no encoding
/// is likely. Knows UTF-16 without a byte order mark, encodings of bytes that are valid ASCII
/// (ISO-2022-JP), and what ICU detects by the frequency of characters. Looks at the first 64 KiB.
std::string other_encoding(std::string_view bytes);

/// Returns the shell command that prints `file`, which may be compressed, in UTF-8.
std::string conversion_command(const std::string& file, const std::string& encoding);

/// Consumes the UTF-8 byte order mark if the stream begins with it. Reads only as far as needed,
/// and not past the first line of text. InputError, beginning with `name`, for a byte order mark of
/// UTF-16 or UTF-32, and for archives, images, databases and other files whose signature shows that
/// they are not text.
void pass_over_byte_order_mark(ByteWindow& window, const std::string& name);

}  // namespace elmo
