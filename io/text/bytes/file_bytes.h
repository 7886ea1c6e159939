// A file or standard input as a stream of bytes, decompressed if needed.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "io/text/bytes/byte_source.h"

namespace elmo {

/// Opens `path` ("-" is standard input) without waiting: a FIFO is waited for when it is read. Data
/// that begins like gzip, zstd, xz or bzip2 is decompressed, whatever its name. If the name ends in
/// .gz, .zst, .xz or .bz2 but the data begins otherwise, reading throws an InputError. `bytes_read`
/// grows by the bytes read, as stored. If `waiting` does not allow waiting, a read from a
/// compressed pipe always throws WouldWait. `bytes_read` and `waiting` must outlive the result.
/// InputError if there is no such file, SystemError if it cannot be opened.
std::unique_ptr<ByteSource> open_file(const std::string& path,
                                      std::atomic<std::uint64_t>& bytes_read,
                                      const Waiting& waiting);

/// True if the regular file at `path` is decompressed when it is read. Errors as for opening and
/// reading it.
bool is_compressed(const std::string& path);

}  // namespace elmo
