#include "io/text/bytes/compression.h"

#include <algorithm>
#include <array>

namespace elmo {

namespace {

using namespace std::string_view_literals;

struct Magic {
  FileCompression compression;
  std::string_view bytes;
  std::string_view ignored;  // mask of the bits of each byte to ignore; missing bytes count as 0
};

// The fourth byte of bzip2 is a digit, the block size.
constexpr std::array kMagics = {
    Magic{FileCompression::gzip, "\x1f\x8b\x08"sv, ""sv},
    Magic{FileCompression::zstd, "\x28\xb5\x2f\xfd"sv, ""sv},
    Magic{FileCompression::zstd, "\x50\x2a\x4d\x18"sv, "\x0f"sv},
    Magic{FileCompression::xz, "\xfd\x37\x7a\x58\x5a\x00"sv, ""sv},
    Magic{FileCompression::bzip2, "BZh0\x31\x41\x59\x26\x53\x59"sv, "\0\0\0\x0f"sv},
    Magic{FileCompression::bzip2, "BZh0\x17\x72\x45\x38\x50\x90"sv, "\0\0\0\x0f"sv},
};

constexpr auto kEndings = enum_table<FileCompression>({{".gz", FileCompression::gzip},
                                                       {".zst", FileCompression::zstd},
                                                       {".xz", FileCompression::xz},
                                                       {".bz2", FileCompression::bzip2}});

/// True if the shorter of the two is a prefix of the other.
bool agrees(std::string_view head, const Magic& magic) {
  for (std::size_t i = 0; i < std::min(head.size(), magic.bytes.size()); ++i) {
    const int ignored = i < magic.ignored.size() ? magic.ignored[i] : 0;
    if (((head[i] ^ magic.bytes[i]) & ~ignored & 0xff) != 0) return false;
  }
  return true;
}

}  // namespace

std::optional<FileCompression> compression_of_head(std::string_view head) {
  for (const Magic& magic : kMagics) {
    if (head.size() >= magic.bytes.size() && agrees(head, magic)) return magic.compression;
  }
  return std::nullopt;
}

bool may_become_compressed(std::string_view head) {
  return std::ranges::any_of(kMagics, [head](const Magic& magic) {
    return head.size() < magic.bytes.size() && agrees(head, magic);
  });
}

std::optional<FileCompression> compression_of_name(std::string_view name) {
  for (const auto& [ending, compression] : kEndings) {
    if (name.ends_with(ending)) return compression;
  }
  return std::nullopt;
}

std::string_view without_compression(std::string_view name) {
  return compression_of_name(name) ? name.substr(0, name.rfind('.')) : name;
}

}  // namespace elmo
