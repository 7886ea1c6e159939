#include "io/h5/dataset.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include "core/kernels/convert.h"
#include "core/matrix.h"
#include "io/h5/library.h"

namespace elmo::h5 {
namespace {

/// Owns the strings of one read and allocates no more than `limit` bytes for them. Rows of a
/// crafted file may all refer to one long string.
class StringMemory {
 public:
  explicit StringMemory(std::uint64_t limit)
      : left_(limit), transfer_(check<InputError>(H5Pcreate(H5P_DATASET_XFER), "preparing HDF5")) {
    check<InputError>(H5Pset_vlen_mem_manager(transfer_.id(), allocate, this, keep, nullptr),
                      "preparing HDF5");
  }
  StringMemory(const StringMemory&) = delete;
  StringMemory& operator=(const StringMemory&) = delete;

  /// Properties for a read into this memory.
  hid_t transfer() const { return transfer_.id(); }
  /// True if a read needed more than the limit.
  bool was_exceeded() const { return exceeded_; }

 private:
  static void* allocate(std::size_t size, void* memory) noexcept {
    auto& self = *static_cast<StringMemory*>(memory);
    if (size > self.left_) {
      self.exceeded_ = true;
      return nullptr;
    }
    try {
      char* const string =
          self.strings_.emplace_back(std::make_unique_for_overwrite<char[]>(size)).get();
      self.left_ -= size;
      return string;
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }
  // The destructor frees all strings, also those that a failed read leaves behind.
  static void keep(void*, void*) {}

  std::uint64_t left_;
  bool exceeded_ = false;
  std::vector<std::unique_ptr<char[]>> strings_;
  Handle transfer_;
};

/// Returns the string of `read(buffer, size)`, HDF5's convention for returning strings.
template <typename Read>
std::string string_of(const Read& read, const std::string& doing) {
  const auto length = static_cast<std::size_t>(check<InputError>(read(nullptr, 0), doing));
  std::string text(length + 1, '\0');
  check<InputError>(read(text.data(), text.size()), doing);
  text.pop_back();
  return text;
}

/// Returns the first selected row and the number of rows if a space selects consecutive rows with
/// all their elements; nothing for any other selection.
std::optional<std::pair<std::uint64_t, std::uint64_t>> selected_rows(hid_t space,
                                                                     std::uint64_t row_count) {
  std::array<hsize_t, H5S_MAX_RANK> first{};
  std::array<hsize_t, H5S_MAX_RANK> last{};
  if (H5Sget_select_bounds(space, first.data(), last.data()) < 0) return std::nullopt;
  const std::uint64_t rows = last[0] - first[0] + 1;
  const auto selected = static_cast<std::uint64_t>(H5Sget_select_npoints(space));
  if (rows == 0 || selected / rows != row_count || selected % rows != 0) return std::nullopt;
  return std::pair(first[0], rows);
}

constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
// Number of strings in one read: few after long strings, because a token may have 4 MiB. A read
// takes about 30 us whatever their number.
constexpr std::uint64_t kFewStrings = 32;
constexpr std::uint64_t kManyStrings = 1024;
constexpr std::size_t kShortStringBytes = std::size_t{64} << 10;  // total per read

}  // namespace

void Dataset::require(bool fits, const std::string& wanted) const {
  if (fits) return;
  throw InputError(name_ + " is " + info_.type + " " + shape_text(info_.shape) + "; expected " +
                   wanted);
}

void Dataset::read(std::span<float> values) const { read_rows(0, info_.rows(), values); }

void Dataset::read_rows(std::uint64_t first, std::uint64_t count, std::span<float> values) const {
  require(info_.is_float(), "float32, float64, float16 or bfloat16");
  require(values.size() == count * info_.row_count(), std::to_string(values.size()) + " numbers");
  const bool half = info_.element == Element::float16;
  if (!half && info_.element != Element::bfloat16) {
    read_raw(first, count, H5T_NATIVE_FLOAT, values.data());
    return;
  }
  // HDF5 takes a hundred times as long for this conversion. A chunk must be read at once; otherwise
  // it would be decompressed for each of its parts. Contiguous data is widened while it is in the
  // cache.
  constexpr std::uint64_t kPieceValues = std::uint64_t{1} << 17;
  const bool in_pieces = info_.layout == "contiguous" && values.size() > kPieceValues;
  const std::uint64_t rows_at_once =
      in_pieces ? std::max<std::uint64_t>(1, kPieceValues / info_.row_count()) : count;
  AlignedVector<std::uint16_t> halves(std::min(count, rows_at_once) * info_.row_count());
  for (std::uint64_t row = 0; row < count; row += rows_at_once) {
    const std::uint64_t rows = std::min(rows_at_once, count - row);
    const std::uint64_t size = rows * info_.row_count();
    const std::span<std::uint16_t> piece = std::span(halves).first(size);
    read_rows(first + row, rows, std::as_writable_bytes(piece));
    const std::span<float> widened = values.subspan(row * info_.row_count(), size);
    half ? from_float16(piece, widened) : from_bfloat16(piece, widened);
  }
}

void Dataset::read_rows(std::uint64_t first, std::uint64_t count,
                        std::span<std::uint32_t> values) const {
  require(info_.element == Element::uint32, "uint32");
  require(values.size() == count * info_.row_count(), std::to_string(values.size()) + " numbers");
  read_raw(first, count, H5T_NATIVE_UINT32, values.data());
}

void Dataset::read_rows(std::uint64_t first, std::uint64_t count,
                        std::span<std::uint64_t> values) const {
  require(info_.element == Element::uint64, "uint64");
  require(values.size() == count * info_.row_count(), std::to_string(values.size()) + " numbers");
  read_raw(first, count, H5T_NATIVE_UINT64, values.data());
}

void Dataset::read_rows(std::uint64_t first, std::uint64_t count,
                        std::span<std::byte> bytes) const {
  require(info_.element != Element::other && info_.element != Element::string,
          "floats or integers");
  require(bytes.size() == count * info_.row_count() * element_bytes(info_.element),
          std::to_string(bytes.size()) + " bytes");
  const Call call;
  const Handle type = file_type(info_.element);
  read_raw(first, count, type.id(), bytes.data());
}

std::vector<std::string> Dataset::read_strings(std::uint64_t first, std::uint64_t count) const {
  require(info_.element == Element::string && info_.shape.size() == 1, "strings (N)");
  const Call call;
  const Handle type = file_type(Element::string);
  const bool in_this_file = info_.layout != "virtual";
  StringMemory memory(in_this_file ? file_bytes_ : std::numeric_limits<std::uint64_t>::max());
  std::vector<char*> read(count, nullptr);
  try {
    read_raw(first, count, type.id(), read.data(), memory.transfer());
  } catch (const InputError&) {
    if (!memory.was_exceeded()) throw;
    throw InputError(name_ + " claims more text than the " + std::to_string(file_bytes_) +
                     " bytes of its file; the file is damaged");
  }
  std::vector<std::string> strings;
  strings.reserve(count);
  for (const char* string : read) strings.emplace_back(string == nullptr ? "" : string);
  return strings;
}

std::vector<StoredRows> Dataset::stored_rows(std::span<const std::byte> file) const {
  const bool numbers = info_.element != Element::other && info_.element != Element::string;
  const bool contiguous = info_.layout == "contiguous";
  if (!numbers || !(contiguous || info_.layout == "chunked") || !info_.filters.empty()) return {};
  const Call call;
  const std::string doing = "reading " + name_;
  const Handle type(check<InputError>(H5Dget_type(handle_.id()), doing));
  const Handle owner(check<InputError>(H5Iget_file_id(handle_.id()), doing));
  const Handle creation(check<InputError>(H5Fget_create_plist(owner.id()), doing));
  const Handle layout(check<InputError>(H5Dget_create_plist(handle_.id()), doing));
  hsize_t user_block = 0;  // addresses count from its end
  check<InputError>(H5Pget_userblock(creation.id(), &user_block), doing);
  std::size_t address_bytes = 0;
  std::size_t length_bytes = 0;
  check<InputError>(H5Pget_sizes(creation.id(), &address_bytes, &length_bytes), doing);
  const bool usual = user_block == 0 && address_bytes == 8 && length_bytes == 8;
  if (H5Tget_order(type.id()) != H5T_ORDER_LE || !usual) return {};
  if (contiguous) {
    const haddr_t address = H5Dget_offset(handle_.id());
    if (address == HADDR_UNDEF) return {};
    return {{0, info_.rows(), address}};
  }
  const auto rank = info_.shape.size();
  std::array<hsize_t, H5S_MAX_RANK> chunk{};
  check<InputError>(H5Pget_chunk(layout.id(), static_cast<int>(rank), chunk.data()), doing);
  if (!std::equal(info_.shape.begin() + 1, info_.shape.end(), chunk.begin() + 1)) return {};
  hobj_ref_t header = 0;  // the address of the object's header
  check<InputError>(H5Rcreate(&header, handle_.id(), ".", H5R_OBJECT, -1), doing);

  const std::uint64_t chunk_bytes = element_bytes(info_.element) * chunk[0] * info_.row_count();
  const std::vector<std::uint64_t> addresses = chunk_addresses(
      file, {header, rank, chunk[0], chunk_bytes, (info_.rows() + chunk[0] - 1) / chunk[0]});
  std::vector<StoredRows> stored;
  for (std::uint64_t number = 0; number < addresses.size(); ++number) {
    const std::uint64_t first = number * chunk[0];
    const std::uint64_t rows = std::min<std::uint64_t>(chunk[0], info_.rows() - first);
    if (number > 0 && addresses[number] == addresses[number - 1] + chunk_bytes) {
      stored.back().count += rows;
    } else {
      stored.push_back({first, rows, addresses[number]});
    }
  }
  return stored;
}

/// Returns the parts that this dataset maps itself, in row order; empty if it is not virtual.
/// InputError if it maps anything else.
std::vector<VirtualPart> Dataset::virtual_parts() const {
  if (info_.layout != "virtual") return {};
  const Call call;
  const std::string doing = "reading " + name_;
  const Handle creation(check<InputError>(H5Dget_create_plist(handle_.id()), doing));
  std::size_t count = 0;
  check<InputError>(H5Pget_virtual_count(creation.id(), &count), doing);
  std::vector<VirtualPart> parts;
  std::uint64_t next = 0;  // row
  for (std::size_t index = 0; index < count; ++index) {
    const Handle shown(check<InputError>(H5Pget_virtual_vspace(creation.id(), index), doing));
    const Handle source(check<InputError>(H5Pget_virtual_srcspace(creation.id(), index), doing));
    const auto rows = selected_rows(shown.id(), info_.row_count());
    const std::string file = string_of(
        [&](char* text, std::size_t size) {
          return H5Pget_virtual_filename(creation.id(), index, text, size);
        },
        doing);
    const std::string path = string_of(
        [&](char* text, std::size_t size) {
          return H5Pget_virtual_dsetname(creation.id(), index, text, size);
        },
        doing);
    require(rows && rows->first == next && H5Sget_select_type(source.id()) == H5S_SEL_ALL,
            "all rows of other datasets, one after the other");
    next += rows->second;
    parts.push_back({file, path, rows->second});
  }
  return parts;
}

void Dataset::read_raw(std::uint64_t first, std::uint64_t count, std::int64_t memory_type,
                       void* values, std::int64_t transfer) const {
  require(first <= info_.rows() && count <= info_.rows() - first,
          "at least " + std::to_string(first + count) + " rows");
  if (count == 0 || info_.count() == 0) return;
  const Call call;
  const std::string doing = "reading " + name_;
  const Handle file_space(check<InputError>(H5Dget_space(handle_.id()), doing));
  if (info_.shape.empty()) {
    check<InputError>(
        H5Dread(handle_.id(), memory_type, kWholeSpace, kWholeSpace, transfer, values), doing);
    return;
  }
  std::array<hsize_t, H5S_MAX_RANK> start{};
  std::array<hsize_t, H5S_MAX_RANK> extent{};
  for (std::size_t axis = 0; axis < info_.shape.size(); ++axis) extent[axis] = info_.shape[axis];
  start[0] = first;
  extent[0] = count;
  check<InputError>(H5Sselect_hyperslab(file_space.id(), H5S_SELECT_SET, start.data(), nullptr,
                                        extent.data(), nullptr),
                    doing);
  const Handle memory_space(check<InputError>(
      H5Screate_simple(static_cast<int>(info_.shape.size()), extent.data(), nullptr), doing));
  check<InputError>(
      H5Dread(handle_.id(), memory_type, memory_space.id(), file_space.id(), transfer, values),
      doing);
}

void for_each_block(const Dataset& dataset,
                    const std::function<void(std::span<const std::byte>)>& use) {
  const DatasetInfo& info = dataset.info();
  const std::size_t row_bytes = info.row_count() * element_bytes(info.element);
  std::uint64_t block_rows =
      std::max<std::uint64_t>(1, kBlockBytes / std::max<std::size_t>(1, row_bytes));
  // Every block that has a part of a chunk decompresses it again.
  if (info.chunk_rows > 1) {
    const std::uint64_t chunks = std::max<std::uint64_t>(1, block_rows / info.chunk_rows);
    block_rows = chunks * std::min(info.chunk_rows, info.rows());
  }
  std::vector<std::byte> block;
  for (std::uint64_t row = 0; row < info.rows(); row += block_rows) {
    const std::uint64_t count = std::min(block_rows, info.rows() - row);
    block.resize(count * row_bytes);
    dataset.read_rows(row, count, std::span(block));
    use(block);
  }
}

void for_each_string(const Dataset& dataset, const std::function<void(const std::string&)>& use) {
  const std::uint64_t rows = dataset.info().rows();
  std::uint64_t block = kFewStrings;
  for (std::uint64_t row = 0; row < rows;) {
    const std::uint64_t count = std::min(block, rows - row);
    std::size_t bytes = 0;
    for (const std::string& string : dataset.read_strings(row, count)) {
      use(string);
      bytes += string.size();
    }
    row += count;
    block = bytes <= kShortStringBytes ? std::min(2 * block, kManyStrings) : kFewStrings;
  }
}

// The tables of chunks are read here, because H5Dget_chunk_info walks through them anew for every
// chunk: HDF5 1.10 takes half a second for the 4,096 chunks of a GiB, and 7 s for four times as
// many. H5Dchunk_iter, which walks once, is newer than that.
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
    std::uint64_t bytes;  ///< size of the messages
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
