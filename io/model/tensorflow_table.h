// Sorted tables in the format of LevelDB, which TensorFlow's checkpoints have as their index:
//
//   block …         the entries, in the order of their keys
//   block           for each of these blocks a key and its handle: offset and size as varints
//   footer          48 bytes: the handles of two blocks, the second of them the one above; zeros;
//                   the magic number
//
// A block holds entries (the length of the prefix shared with the key before, the length of the
// rest and that of the value as varints; the rest; the value), offsets of entries and their number.
// After it come its compression, one byte, and a checksum of both.
//
// LevelDB's own reader is made for its own files: it allocates the size that a handle claims before
// it reads, and a size near 2^64 makes it read outside that memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace elmo::tensorflow {

/// The entries of a table by ascending key. The values are views of its bytes.
using Table = std::vector<std::pair<std::string, std::string_view>>;

/// Maximum size of a table. A biLM checkpoint's table has a few KB.
inline constexpr std::size_t kMaxTableBytes = std::size_t{16} << 20;

/// Parses a table. Memory is bounded: at most 65,536 entries with keys of up to 1,024 bytes.
/// InputError, beginning with `name`, if the bytes are not such a table, a block has another
/// checksum, is compressed or does not follow the previous block, or the keys do not ascend.
Table read_table(std::string_view bytes, const std::string& name);

/// Removes a number from the beginning of `bytes` and returns it: seven bits per byte, the lowest
/// first. Returns nothing, and removes nothing, if the number is cut off or has more than 64 bits.
std::optional<std::uint64_t> take_varint(std::string_view& bytes);

/// The CRC-32C (Castagnoli) of the bytes, rotated and shifted as LevelDB stores it.
std::uint32_t masked_crc32c(std::string_view bytes);

}  // namespace elmo::tensorflow
