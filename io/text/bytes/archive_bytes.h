// Decompresses zstd, xz and bzip2 with libarchive's filters.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "io/text/bytes/byte_source.h"
#include "io/text/bytes/compression.h"

struct archive;

namespace elmo {

/// The text of a compressed stream. Errors as decompress().
class ArchiveBytes : public ByteSource {
 public:
  ArchiveBytes(std::string name, FileCompression compression, std::unique_ptr<ByteSource> stored);

  std::size_t read(char* data, std::size_t size) override;

 private:
  struct Close {
    void operator()(archive* reader) const;
  };

  static long read_stored(archive* reader, void* self, const void** data);
  void open();
  void end();
  [[noreturn]] void fail();
  [[noreturn]] void refuse(const std::string& reason);

  std::string name_;
  FileCompression compression_;
  std::unique_ptr<ByteSource> stored_;
  std::exception_ptr stored_error_;  // an exception must not pass through libarchive's C code
  std::vector<char> input_;
  std::string head_;           // the first stored bytes
  std::uint64_t handed_ = 0;   // stored bytes passed to libarchive
  std::uint64_t padding_ = 0;  // offset of the zeros at the end of these bytes
  std::unique_ptr<archive, Close> archive_;
  bool opened_ = false;
  bool ended_ = false;
};

}  // namespace elmo
