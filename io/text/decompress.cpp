#include "io/text/decompress.h"

#include <utility>

#include "io/text/archive_bytes.h"
#include "io/text/gzip_bytes.h"

namespace elmo {

using namespace std::string_view_literals;

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
  if (head.starts_with("\x1f\x8b\x08"sv)) return Compression::gzip;
  if (head.starts_with("\x28\xb5\x2f\xfd"sv)) return Compression::zstd;
  if (head.size() >= 4 && (head[0] & '\xf0') == '\x50' && head.substr(1, 3) == "\x2a\x4d\x18"sv) {
    return Compression::zstd;
  }
  if (head.starts_with("\xfd\x37\x7a\x58\x5a\x00"sv)) return Compression::xz;
  if (head.size() >= 10 && head.starts_with("BZh"sv) && head[3] >= '1' && head[3] <= '9') {
    const std::string_view block = head.substr(4, 6);
    if (block == "\x31\x41\x59\x26\x53\x59"sv || block == "\x17\x72\x45\x38\x50\x90"sv) {
      return Compression::bzip2;
    }
  }
  return std::nullopt;
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
