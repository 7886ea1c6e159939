#include "io/text/source/input_range.h"

#include <algorithm>
#include <atomic>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/files/checksum.h"

namespace elmo {
namespace {

constexpr std::uint64_t kHashedBytes = std::uint64_t{4} << 20;
constexpr std::size_t kBytesAtOnce = std::size_t{256} << 10;

}  // namespace

FileStretch InputRange::stretch(std::size_t file) const {
  return {files_.path(file), file == 0 ? begin_ : 0,
          file + 1 == files_.size() ? end_ : std::nullopt};
}

std::optional<std::uint64_t> InputRange::bytes(std::size_t file) const {
  const std::optional<std::uint64_t> size = files_.size_of(file);
  if (!size) return std::nullopt;
  const FileStretch read = stretch(file);
  return read.end.value_or(*size) - read.begin;
}

std::optional<std::uint64_t> InputRange::total_bytes() const {
  std::uint64_t total = 0;
  for (std::size_t file = 0; file < size(); ++file) {
    const std::optional<std::uint64_t> bytes = this->bytes(file);
    if (!bytes) return std::nullopt;
    total += *bytes;
  }
  return total;
}

std::string InputRange::hash_before(std::size_t file, std::uint64_t offset) const {
  const std::uint64_t begin = file == 0 ? begin_ : 0;
  if (file >= size() || !bytes(file) || offset < begin || offset - begin > *bytes(file)) {
    throw InputError("the input has no byte " + std::to_string(offset) + " in file " +
                     std::to_string(file) +
                     " (from 0), where it is to be read from; expected the input as it was");
  }
  std::size_t first = file;
  std::uint64_t count = offset - begin;
  while (count < kHashedBytes && first > 0) count += bytes(--first).value();
  const std::uint64_t passed_over = count - std::min(count, kHashedBytes);

  Checksum checksum;
  std::vector<char> block(kBytesAtOnce);
  std::atomic<std::uint64_t> bytes_read = 0;
  const Waiting waiting;
  for (std::size_t number = first; number <= file; ++number) {
    FileStretch hashed = stretch(number);
    hashed.end = number == file ? offset : hashed.begin + bytes(number).value();
    if (number == first) hashed.begin += passed_over;
    if (hashed.begin == hashed.end) continue;
    StoredBytes stored(std::move(hashed), bytes_read, waiting);
    while (const std::size_t size = stored.read(block.data(), block.size())) {
      checksum.add(std::string_view(block.data(), size));
    }
  }
  return checksum.hex();
}

}  // namespace elmo
