// Compressed streams as the text that they hold.
#pragma once

#include <memory>
#include <string>

#include "io/text/bytes/byte_source.h"
#include "io/text/bytes/compression.h"

namespace elmo {

/// Decompresses `stored`; several streams one after the other read as one. `name` is for errors:
/// InputError for damaged data (its checksums are verified), data that is cut short, and zstd with
/// a window of more than 128 MiB or a dictionary; std::bad_alloc.
std::unique_ptr<ByteSource> decompress(const std::string& name, FileCompression compression,
                                       std::unique_ptr<ByteSource> stored);

}  // namespace elmo
