// The first bytes of a file: its byte order mark, or signatures of files that are not text.
#pragma once

#include <string>

#include "io/text/bytes/byte_stream.h"

namespace elmo {

/// Consumes the UTF-8 byte order mark if the stream begins with it. Reads only as far as needed,
/// and not past the first line of text. InputError, beginning with `name`, for a byte order mark of
/// UTF-16 or UTF-32, and for archives, images, databases and other files whose signature shows that
/// they are not text.
void pass_over_byte_order_mark(ByteWindow& window, const std::string& name);

}  // namespace elmo
