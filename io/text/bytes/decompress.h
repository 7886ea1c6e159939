// Decompression of streams.
#pragma once

#include <memory>
#include <string>

#include "io/text/bytes/byte_source.h"
#include "io/text/bytes/compression.h"

namespace elmo {

/// Decompresses `stored`; several concatenated streams read as one. `name` is used in errors.
/// InputError for damaged data (checksums are verified), for truncated data, and for zstd with a
/// window of more than 128 MiB or a dictionary; std::bad_alloc.
std::unique_ptr<ByteSource> decompress(const std::string& name, FileCompression compression,
                                       std::unique_ptr<ByteSource> stored);

}  // namespace elmo
