#include "io/text/bytes/decompress.h"

#include <utility>

#include "io/text/bytes/archive_bytes.h"
#include "io/text/bytes/gzip_bytes.h"

namespace elmo {

std::unique_ptr<ByteSource> decompress(const std::string& name, FileCompression compression,
                                       std::unique_ptr<ByteSource> stored) {
  if (compression == FileCompression::gzip) {
    return std::make_unique<GzipBytes>(name, std::move(stored));
  }
  return std::make_unique<ArchiveBytes>(name, compression, std::move(stored));
}

}  // namespace elmo
