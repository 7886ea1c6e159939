#include "io/h5/chunk_index.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

namespace elmo::h5 {
namespace {

constexpr std::size_t kAddressBytes = 8;

/// Reads little-endian numbers in sequence. Numbers past the end of the file read as 0.
class Cursor {
 public:
  Cursor(std::span<const std::byte> file, std::uint64_t at) : file_(file), at_(at) {}

  std::uint64_t at() const { return at_; }
  void skip(std::uint64_t bytes) { at_ += bytes; }

  /// Reads a number of at most 8 bytes.
  std::uint64_t take(std::size_t bytes) {
    std::uint64_t value = 0;
    if (at_ > file_.size() || bytes > file_.size() - at_) return value;
    std::memcpy(&value, file_.data() + at_, bytes);
    at_ += bytes;
    return value;
  }

  bool take_signature(std::string_view expected) {
    const std::uint64_t found = take(expected.size());
    return std::memcmp(&found, expected.data(), expected.size()) == 0;
  }

 private:
  std::span<const std::byte> file_;
  std::uint64_t at_;
};

/// Returns the address of the B-tree from the dataset's layout message.
std::optional<std::uint64_t> tree_of(std::span<const std::byte> file, const ChunkedRows& dataset) {
  constexpr std::uint64_t kTimes = 0x20;
  constexpr std::uint64_t kPhases = 0x10;
  constexpr std::uint64_t kOrder = 0x04;
  constexpr std::uint64_t kSizeBytes = 0x03;
  constexpr std::uint64_t kLayout = 0x08;
  constexpr std::uint64_t kContinuation = 0x10;
  constexpr std::uint64_t kVersion = 3;
  constexpr std::uint64_t kChunked = 2;
  constexpr std::size_t kMaxBlocks = 64;
  constexpr std::uint64_t kMaxBlockBytes = 1 << 16;

  struct Block {
    std::uint64_t begin;
    std::uint64_t bytes;  ///< of messages
  };
  Cursor header(file, dataset.header);
  if (!header.take_signature("OHDR") || header.take(1) != 2) return std::nullopt;
  const std::uint64_t flags = header.take(1);
  header.skip(((flags & kTimes) != 0 ? 16 : 0) + ((flags & kPhases) != 0 ? 4 : 0));
  const std::uint64_t first_bytes = header.take(std::size_t{1} << (flags & kSizeBytes));
  std::vector<Block> blocks{{header.at(), first_bytes}};
  for (std::size_t number = 0; number < blocks.size() && number < kMaxBlocks; ++number) {
    const Block block = blocks[number];
    if (block.begin > file.size()) break;
    const std::uint64_t end =
        block.begin + std::min({block.bytes, kMaxBlockBytes, file.size() - block.begin});
    const std::uint64_t message_header = (flags & kOrder) != 0 ? 6 : 4;
    for (std::uint64_t next = block.begin; next + message_header <= end;) {
      Cursor message(file, next);
      const std::uint64_t type = message.take(1);
      const std::uint64_t bytes = message.take(2);
      message.skip(message_header - 3);
      next = message.at() + bytes;
      if (type == kLayout) {
        const bool known = message.take(1) == kVersion && message.take(1) == kChunked &&
                           message.take(1) == dataset.rank + 1;
        if (!known) return std::nullopt;
        return message.take(kAddressBytes);
      }
      if (type == kContinuation) {
        Cursor more(file, message.take(kAddressBytes));
        const std::uint64_t more_bytes = message.take(kAddressBytes);
        if (more.take_signature("OCHK") && more_bytes > 8) {
          blocks.push_back({more.at(), more_bytes - 8});  // without signature and checksum
        }
      }
    }
  }
  return std::nullopt;
}

/// The head of a node in a tree of chunks.
struct Node {
  std::uint64_t level = 0;
  std::uint64_t entries = 0;
  std::uint64_t right = 0;  ///< address of the next node of this level
};

std::optional<Node> take_node(Cursor& cursor) {
  constexpr std::uint64_t kChunks = 1;
  if (!cursor.take_signature("TREE") || cursor.take(1) != kChunks) return std::nullopt;
  Node node;
  node.level = cursor.take(1);
  node.entries = cursor.take(2);
  cursor.skip(kAddressBytes);
  node.right = cursor.take(kAddressBytes);
  if (node.entries == 0) return std::nullopt;
  return node;
}

}  // namespace

std::vector<std::uint64_t> chunk_addresses(std::span<const std::byte> file,
                                           const ChunkedRows& dataset) {
  const std::optional<std::uint64_t> root = tree_of(file, dataset);
  if (!root) return {};
  Cursor cursor(file, *root);
  std::optional<Node> node = take_node(cursor);
  const std::uint64_t key_bytes = 8 + 8 * (dataset.rank + 1);
  // Descends to the first leaf.
  while (node && node->level > 0) {
    const std::uint64_t level = node->level;
    cursor.skip(key_bytes);
    cursor = Cursor(file, cursor.take(kAddressBytes));
    node = take_node(cursor);
    if (node && node->level >= level) return {};
  }
  std::vector<std::uint64_t> addresses;
  while (node && node->level == 0) {
    for (std::uint64_t entry = 0; entry < node->entries; ++entry) {
      const std::uint64_t bytes = cursor.take(4);
      const std::uint64_t filters_left_out = cursor.take(4);
      const std::uint64_t row = cursor.take(8);
      cursor.skip(key_bytes - 16);
      const std::uint64_t address = cursor.take(kAddressBytes);
      if (bytes != dataset.chunk_bytes || filters_left_out != 0 ||
          row != addresses.size() * dataset.chunk_rows) {
        return {};
      }
      addresses.push_back(address);
      if (addresses.size() == dataset.chunks) return addresses;
    }
    cursor = Cursor(file, node->right);
    node = take_node(cursor);
  }
  return {};
}

}  // namespace elmo::h5
