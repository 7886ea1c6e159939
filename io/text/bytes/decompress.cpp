#include "io/text/bytes/decompress.h"

#include <algorithm>
#include <array>
#include <utility>

#include "io/text/bytes/archive_bytes.h"
#include "io/text/bytes/gzip_bytes.h"

namespace elmo {

namespace {

using namespace std::string_view_literals;

struct Magic {
  Compression compression;
  std::string_view bytes;
  std::string_view ignored;  // the bits of each byte that do not matter; of those missing, none
};

// bzip2's fourth byte is a digit, its block size.
constexpr std::array kMagics = {
    Magic{Compression::gzip, "\x1f\x8b\x08"sv, ""sv},
    Magic{Compression::zstd, "\x28\xb5\x2f\xfd"sv, ""sv},
    Magic{Compression::zstd, "\x50\x2a\x4d\x18"sv, "\x0f"sv},
    Magic{Compression::xz, "\xfd\x37\x7a\x58\x5a\x00"sv, ""sv},
    Magic{Compression::bzip2, "BZh0\x31\x41\x59\x26\x53\x59"sv, "\0\0\0\x0f"sv},
    Magic{Compression::bzip2, "BZh0\x17\x72\x45\x38\x50\x90"sv, "\0\0\0\x0f"sv},
};

/// Whether the shorter of both is the beginning of the other.
bool agrees(std::string_view head, const Magic& magic) {
  for (std::size_t i = 0; i < std::min(head.size(), magic.bytes.size()); ++i) {
    const int ignored = i < magic.ignored.size() ? magic.ignored[i] : 0;
    if (((head[i] ^ magic.bytes[i]) & ~ignored & 0xff) != 0) return false;
  }
  return true;
}

}  // namespace

const char* compression_name(Compression compression) {
  switch (compression) {
    case Compression::gzip:
      return "gzip";
    case Compression::zstd:
      return "zstd";
    case Compression::xz:
      return "xz";
    case Compression::bzip2:
      return "bzip2";
  }
  return "";
}

std::optional<Compression> compression_of_head(std::string_view head) {
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

std::optional<Compression> compression_of_name(std::string_view name) {
  if (name.ends_with(".gz")) return Compression::gzip;
  if (name.ends_with(".zst")) return Compression::zstd;
  if (name.ends_with(".xz")) return Compression::xz;
  if (name.ends_with(".bz2")) return Compression::bzip2;
  return std::nullopt;
}

std::unique_ptr<ByteSource> decompress(const std::string& name, Compression compression,
                                       std::unique_ptr<ByteSource> stored) {
  if (compression == Compression::gzip) {
    return std::make_unique<GzipBytes>(name, std::move(stored));
  }
  return std::make_unique<ArchiveBytes>(name, compression, std::move(stored));
}

}  // namespace elmo
