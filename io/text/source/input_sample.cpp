#include "io/text/source/input_sample.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <span>

#include "io/files/checksum.h"
#include "io/files/descriptor.h"

namespace elmo {
namespace {

constexpr std::uint64_t kStretches = 1024;
constexpr std::uint64_t kSampledBytes = 4096;  // of each stretch

/// Adds `count` bytes of a file from `offset` on, or as many as it has.
void add_bytes(Checksum& sample, const Descriptor& file, const std::string& path,
               std::uint64_t offset, std::uint64_t count) {
  std::array<std::byte, kSampledBytes> block{};
  while (count > 0) {
    const ssize_t read = ::pread(file.get(), block.data(), std::min(count, kSampledBytes),
                                 static_cast<off_t>(offset));
    if (read < 0 && errno == EINTR) continue;
    if (read < 0) refuse("read", path, errno);
    if (read == 0) return;
    sample.add(std::span(block).first(static_cast<std::size_t>(read)));
    offset += static_cast<std::uint64_t>(read);
    count -= static_cast<std::uint64_t>(read);
  }
}

}  // namespace

std::string input_sample(const FileList& files) {
  std::uint64_t total = 0;
  for (const InputFile& file : files) total += file.size.value_or(0);
  // Returns the first byte of a stretch, without overflow.
  const auto first_of = [total](std::uint64_t stretch) {
    return stretch * (total / kStretches) + stretch * (total % kStretches) / kStretches;
  };
  Checksum sample;
  std::uint64_t stretch = 0;
  std::uint64_t end = 0;
  for (const InputFile& file : files) {
    const std::uint64_t begin = end;
    end += file.size.value_or(0);
    Descriptor opened;
    while (stretch < kStretches && first_of(stretch) < end) {
      const std::uint64_t stop = std::min(first_of(stretch) + kSampledBytes, first_of(stretch + 1));
      const std::uint64_t from = std::max(first_of(stretch), begin);
      if (from < std::min(stop, end)) {
        if (!opened) opened = open_regular_file(file.path, "read");
        add_bytes(sample, opened, file.path, from - begin, std::min(stop, end) - from);
      }
      if (stop > end) break;  // it continues in the next file
      ++stretch;
    }
  }
  return sample.hex();
}

}  // namespace elmo
