#include "io/text/bytes/bytes_before.h"

#include <algorithm>
#include <atomic>
#include <string_view>

#include "io/files/checksum.h"
#include "io/text/bytes/file_bytes.h"

namespace elmo {
namespace {

constexpr std::uint64_t kHashedBytes = std::uint64_t{4} << 20;
constexpr std::size_t kBytesAtOnce = std::size_t{256} << 10;

}  // namespace

std::string hash_of_bytes_before(const std::vector<InputStretch>& stretches, std::size_t file,
                                 std::uint64_t offset) {
  std::uint64_t left = kHashedBytes;
  std::vector<InputStretch> hashed;  // the last one first
  for (std::size_t number = file + 1; number > 0 && left > 0; --number) {
    const InputStretch& stretch = stretches.at(number - 1);
    const std::uint64_t end = number == file + 1 ? offset : stretch.begin + stretch.bytes.value();
    const std::uint64_t size = std::min(left, end - stretch.begin);
    if (size > 0) hashed.push_back({stretch.path, end - size, end, size});
    left -= size;
  }
  Checksum checksum;
  std::vector<char> block(kBytesAtOnce);
  std::atomic<std::uint64_t> bytes_read = 0;
  std::uint64_t line_feeds = 0;
  const Waiting waiting;
  for (auto stretch = hashed.rbegin(); stretch != hashed.rend(); ++stretch) {
    const auto bytes = open_stretch(*stretch, line_feeds, bytes_read, waiting);
    while (const std::size_t count = bytes->read(block.data(), block.size())) {
      checksum.add(std::string_view(block.data(), count));
    }
  }
  return checksum.hex();
}

}  // namespace elmo
