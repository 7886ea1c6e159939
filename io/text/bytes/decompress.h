// Compressed streams: how to tell them, and how to read them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/text/bytes/byte_source.h"

namespace elmo {

enum class Compression { gzip, zstd, xz, bzip2 };

const char* compression_name(Compression compression);

/// By the magic numbers that files begin with: RFC 1952 (gzip), RFC 8878 (zstd, and the skippable
/// frame that parallel zstd writes first), the .xz file format 1.1.0, and bzip2's header with the
/// magic of its first block or of the end of an empty stream.
std::optional<Compression> compression_of_head(std::string_view head);

/// Whether more bytes could make `head`, which compression_of_head does not know yet, the beginning
/// of a compressed stream. True of the empty head.
bool may_become_compressed(std::string_view head);

/// By the end of a file name: .gz, .zst, .xz, .bz2.
std::optional<Compression> compression_of_name(std::string_view name);

/// Decompresses `stored`; several streams one after the other read as one. `name` is for errors:
/// InputError for damaged data (its checksums are verified) and data that is cut short.
std::unique_ptr<ByteSource> decompress(const std::string& name, Compression compression,
                                       std::unique_ptr<ByteSource> stored);

}  // namespace elmo
