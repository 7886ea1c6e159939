// What a text may begin with to say how it is encoded.
#pragma once

#include <string>

#include "io/text/bytes/byte_window.h"

namespace elmo {

/// Consumes the byte order mark of UTF-8 where the stream begins with it. Reads no further than it
/// takes to tell. InputError, beginning with `name`, for the marks of UTF-16 and UTF-32.
void pass_over_byte_order_mark(ByteWindow& window, const std::string& name);

}  // namespace elmo
