// A file or standard input as a stream of bytes, decompressed where it is compressed.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "io/text/bytes/byte_source.h"

namespace elmo {

/// Opens `path` ("-" is standard input) without waiting: a FIFO is waited for when it is read. What
/// begins like gzip, zstd, xz or bzip2 is decompressed, what else it may be named; a name ending in
/// .gz, .zst, .xz or .bz2 that begins otherwise is an InputError when it is read. `bytes_read`
/// grows by the bytes read as they are stored. Where `waiting` is not allowed, a compressed pipe is
/// taken to wait always. Both outlive the result. InputError if there is no such file, SystemError
/// if it cannot be opened.
std::unique_ptr<ByteSource> open_file(const std::string& path,
                                      std::atomic<std::uint64_t>& bytes_read,
                                      const Waiting& waiting);

/// Whether the regular file at `path` is decompressed when it is read. Errors as open_file and its
/// reading.
bool is_compressed(const std::string& path);

}  // namespace elmo
