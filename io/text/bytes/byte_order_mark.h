// What a file begins with: a mark that says how its text is encoded, or signs that it is no text.
#pragma once

#include <string>
#include <string_view>

#include "io/text/bytes/byte_window.h"

namespace elmo {

/// Consumes the byte order mark of UTF-8 where the stream begins with it. Reads no further than it
/// takes to tell, of text no further than its first line. InputError, beginning with `name`, for
/// the marks of UTF-16 and UTF-32, and for archives, images, databases and other files that are no
/// text by their signature.
void pass_over_byte_order_mark(ByteWindow& window, const std::string& name);

/// "UTF-16LE" or "UTF-16BE" where what a file begins with looks like UTF-16 without a byte order
/// mark: every other byte is often NUL, and the others never are. Else null.
const char* utf16_without_mark(std::string_view head);

}  // namespace elmo
