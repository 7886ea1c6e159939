// Recognizes compressed streams and decompresses them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/enum_table.h"
#include "io/text/bytes/byte_stream.h"

namespace elmo {

enum class FileCompression { gzip, zstd, xz, bzip2 };

inline constexpr auto kFileCompressions =
    enum_table<FileCompression>({{"gzip", FileCompression::gzip},
                                 {"zstd", FileCompression::zstd},
                                 {"xz", FileCompression::xz},
                                 {"bzip2", FileCompression::bzip2}});

/// Detects compression from the magic numbers at the beginning of a file: RFC 1952 (gzip), RFC 8878
/// (zstd, and the skippable frame that parallel zstd writes first), the .xz file format 1.1.0, and
/// bzip2's header with the magic of its first block or of the end of an empty stream.
std::optional<FileCompression> compression_of_head(std::string_view head);

/// True if more bytes could turn `head`, which compression_of_head does not recognize yet, into the
/// beginning of a compressed stream. True for an empty head.
bool may_become_compressed(std::string_view head);

/// Detects compression from a file extension: .gz, .zst, .xz, .bz2.
std::optional<FileCompression> compression_of_name(std::string_view name);

/// The name without that extension.
std::string_view without_compression(std::string_view name);

/// Decompresses `stored`; several concatenated streams read as one. `name` is used in errors.
/// InputError for damaged data (checksums are verified), for truncated data, and for zstd with a
/// window of more than 128 MiB or a dictionary; std::bad_alloc.
std::unique_ptr<ByteSource> decompress(const std::string& name, FileCompression compression,
                                       std::unique_ptr<ByteSource> stored);

}  // namespace elmo
