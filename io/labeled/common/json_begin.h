// Detects JSON by the beginning of a file.
#pragma once

#include "io/text/bytes/byte_window.h"

namespace elmo {

/// True if the first byte of the window's first 64 KiB that is not white space begins a JSON
/// object. One thread.
bool begins_with_object(ByteWindow& window);

}  // namespace elmo
