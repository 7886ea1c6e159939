// Decompresses gzip (RFC 1952) with zlib, because libarchive's filter does not verify its
// checksums.
#pragma once

#include <zlib.h>

#include <memory>
#include <string>
#include <vector>

#include "io/text/bytes/byte_source.h"

namespace elmo {

/// The text of one or more gzip members. Zero bytes after the last member are padding. Errors as
/// decompress().
class GzipBytes : public ByteSource {
 public:
  GzipBytes(std::string name, std::unique_ptr<ByteSource> stored);
  GzipBytes(const GzipBytes&) = delete;
  GzipBytes& operator=(const GzipBytes&) = delete;
  ~GzipBytes() override;

  std::size_t read(char* data, std::size_t size) override;

 private:
  bool fill();
  bool begin_next_member();

  std::string name_;
  std::unique_ptr<ByteSource> stored_;
  std::vector<char> input_;
  z_stream stream_{};
  bool in_member_ = true;
};

}  // namespace elmo
