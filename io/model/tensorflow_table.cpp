#include "io/model/tensorflow_table.h"

#include <array>
#include <cstddef>

#include "core/error.h"
#include "io/foreign_content.h"

namespace elmo::tensorflow {
namespace {

constexpr std::uint64_t kTableMagic = 0xdb4775248b80fb57;
constexpr std::size_t kFooterBytes = 48;
constexpr std::size_t kTrailerBytes = 5;  // compression and checksum
constexpr std::size_t kCountBytes = sizeof(std::uint32_t);
constexpr std::size_t kMaxEntries = 65'536;
constexpr std::size_t kMaxKeyBytes = 1024;

/// Returns the little-endian number at the beginning of `bytes`, which must be long enough.
template <typename T>
T number_at(std::string_view bytes) {
  T value = 0;
  for (std::size_t i = sizeof(T); i-- > 0;) {
    value = static_cast<T>(value << 8U) | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

using CrcTables = std::array<std::array<std::uint32_t, 256>, 8>;

/// tables[k][b] is the remainder of the byte b followed by k zero bytes.
constexpr CrcTables crc_tables() {
  constexpr std::uint32_t kPolynomial = 0x82f63b78;
  CrcTables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? kPolynomial : 0);
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < tables.size(); ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t crc = tables[k - 1][byte];
      tables[k][byte] = (crc >> 8U) ^ tables[0][crc & 0xffU];
    }
  }
  return tables;
}

constexpr CrcTables kCrcTables = crc_tables();

class TableReader {
 public:
  TableReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  Table read() {
    if (bytes_.size() < kFooterBytes || number_at<std::uint64_t>(bytes_.substr(
                                            bytes_.size() - sizeof kTableMagic)) != kTableMagic) {
      if (const std::string foreign = foreign_content(bytes_); !foreign.empty()) {
        throw InputError(name_ + foreign + "; expected the index of a checkpoint of TensorFlow");
      }
      refuse("does not end with the magic number of LevelDB's tables",
             "the index of a checkpoint of TensorFlow, complete");
    }
    std::string_view footer = bytes_.substr(bytes_.size() - kFooterBytes);
    blocks_end_ = bytes_.size() - kFooterBytes;
    take_handle(footer, "its footer");
    const std::string_view index = block(take_handle(footer, "its footer"));
    std::uint64_t end_of_last = 0;
    for_each_entry(index, [&](const std::string&, std::string_view value) {
      const Handle handle = take_handle(value, "its index");
      // Overlapping blocks would be read many times.
      if (handle.offset < end_of_last) {
        refuse("the block at byte " + std::to_string(handle.offset) + " begins before byte " +
                   std::to_string(end_of_last) + ", where the one before it ends",
               "one block after the other");
      }
      const std::string_view entries = block(handle);
      end_of_last = handle.offset + handle.size;
      for_each_entry(entries, [&](const std::string& key, std::string_view entry) {
        if (!table_.empty() && key <= table_.back().first) {
          refuse("the keys of its entries do not ascend", "a sorted table");
        }
        if (table_.size() == kMaxEntries) {
          refuse("has more than " + std::to_string(kMaxEntries) + " entries",
                 "the variables of one model");
        }
        table_.emplace_back(key, entry);
      });
    });
    return std::move(table_);
  }

 private:
  struct Handle {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
  };

  [[noreturn]] void refuse(const std::string& found, const std::string& expected) const {
    throw InputError(name_ + ": " + found + "; expected " + expected);
  }

  Handle take_handle(std::string_view& from, const std::string& where) const {
    const std::optional<std::uint64_t> offset = take_varint(from);
    const std::optional<std::uint64_t> size = take_varint(from);
    if (!offset || !size) refuse(where + " is cut off", "the offset and the size of a block");
    return {*offset, *size};
  }

  /// Returns the contents of a block.
  std::string_view block(const Handle& handle) const {
    const std::string where = "the block at byte " + std::to_string(handle.offset);
    if (blocks_end_ < kTrailerBytes || handle.offset > blocks_end_ - kTrailerBytes ||
        handle.size > blocks_end_ - kTrailerBytes - handle.offset) {
      refuse(where + " claims " + std::to_string(handle.size) + " bytes",
             "blocks that end before byte " + std::to_string(blocks_end_));
    }
    const std::string_view checked = bytes_.substr(handle.offset, handle.size + 1);
    if (masked_crc32c(checked) !=
        number_at<std::uint32_t>(bytes_.substr(handle.offset + handle.size + 1))) {
      refuse(where + " has another checksum than it had when it was written",
             "an undamaged file; copy it again");
    }
    if (checked.back() != '\0') {
      refuse(where + " is compressed",
             "an index that is not, as TensorFlow 1.2 and later write it; restore and save the "
             "checkpoint there");
    }
    return checked.substr(0, handle.size);
  }

  template <typename Take>
  void for_each_entry(std::string_view block, const Take& take) const {
    const auto require = [&](bool fits) {
      if (!fits)
        refuse("an entry of a block does not fit in it", "entries that lie in their block");
    };
    require(block.size() >= kCountBytes);
    const std::uint64_t restarts =
        number_at<std::uint32_t>(block.substr(block.size() - kCountBytes));
    require(restarts <= block.size() / kCountBytes - 1);
    std::string_view entries = block.substr(0, block.size() - kCountBytes * (restarts + 1));
    std::string key;
    while (!entries.empty()) {
      const std::optional<std::uint64_t> shared = take_varint(entries);
      const std::optional<std::uint64_t> rest = take_varint(entries);
      const std::optional<std::uint64_t> size = take_varint(entries);
      require(shared && rest && size && *shared <= key.size() && *rest <= entries.size() &&
              *size <= entries.size() - *rest);
      key.resize(*shared);
      if (*rest > kMaxKeyBytes - key.size()) {
        refuse("a key has more than " + std::to_string(kMaxKeyBytes) + " bytes",
               "the names of variables");
      }
      key += entries.substr(0, *rest);
      take(key, entries.substr(*rest, *size));
      entries.remove_prefix(*rest + *size);
    }
  }

  std::string_view bytes_;
  const std::string& name_;
  std::size_t blocks_end_ = 0;
  Table table_;
};

}  // namespace

Table read_table(std::string_view bytes, const std::string& name) {
  return TableReader(bytes, name).read();
}

std::optional<std::uint64_t> take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size() && i < 10; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if (i == 9 && byte > 1) return std::nullopt;  // 63 bits came before
    value |= std::uint64_t{byte & 0x7fU} << (7 * i);
    if (byte < 0x80) {
      bytes.remove_prefix(i + 1);
      return value;
    }
  }
  return std::nullopt;
}

std::uint32_t masked_crc32c(std::string_view bytes) {
  constexpr std::size_t kStride = kCrcTables.size();
  std::uint32_t crc = 0xffffffff;
  while (bytes.size() >= kStride) {
    const std::uint64_t next = number_at<std::uint64_t>(bytes) ^ crc;
    crc = 0;
    for (std::size_t i = 0; i < kStride; ++i) {
      crc ^= kCrcTables[kStride - 1 - i][(next >> (8 * i)) & 0xffU];
    }
    bytes.remove_prefix(kStride);
  }
  for (const char byte : bytes) {
    crc = (crc >> 8U) ^ kCrcTables[0][(crc ^ static_cast<unsigned char>(byte)) & 0xffU];
  }
  crc = ~crc;
  constexpr std::uint32_t kMask = 0xa282ead8;
  return ((crc >> 15U) | (crc << 17U)) + kMask;
}

}  // namespace elmo::tensorflow
