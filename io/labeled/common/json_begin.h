// Whether a file is JSON, by how it begins.
#pragma once

#include "io/text/bytes/byte_window.h"

namespace elmo {

/// Whether the first byte of the window that is not white space, of its first 64 KiB, begins an
/// object. One thread.
bool begins_with_object(ByteWindow& window);

}  // namespace elmo
