#include "io/h5/values.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace elmo::h5 {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
// Strings of one read: few after long ones, because a token may have 4 MiB. A read takes about 30
// us whatever their number.
constexpr std::uint64_t kFewStrings = 32;
constexpr std::uint64_t kManyStrings = 1024;
constexpr std::size_t kShortStringBytes = std::size_t{64} << 10;  // of one read

}  // namespace

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

}  // namespace elmo::h5
