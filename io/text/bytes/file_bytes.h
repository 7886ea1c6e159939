// The bytes of a file or of standard input: as stored, or decompressed if needed.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "io/files/descriptor.h"
#include "io/text/bytes/byte_stream.h"

namespace elmo {

/// The name of standard input.
inline constexpr const char* kStandardInput = "-";

/// Returns `path` as messages name it: "standard input" for kStandardInput.
inline std::string shown_name(const std::string& path) {
  return path == kStandardInput ? "standard input" : path;
}

/// The part of a file that is read.
struct FileStretch {
  std::string path;                    ///< kStandardInput and pipes are only read whole
  std::uint64_t begin = 0;             ///< offset of the first byte
  std::optional<std::uint64_t> end{};  ///< offset after the last byte; default: end of the file

  bool whole() const { return begin == 0 && !end; }
};

/// The bytes of a stretch. Opening a FIFO does not wait for its writer; read() does.
class FileBytes : public ByteSource {
 public:
  /// `state`, if given, counts the bytes and ends waiting; `line_feeds`, if given, grows by the
  /// line feeds. Both must outlive this object. InputError if there is no such file, SystemError if
  /// it cannot be opened.
  explicit FileBytes(FileStretch stretch, ReadState* state = nullptr,
                     std::uint64_t* line_feeds = nullptr);

  /// InputError if the file has become shorter or ends before the stretch.
  std::size_t read(char* data, std::size_t size) override;

  bool would_wait() const override;

  /// True if it is not a regular file, so that reads may have to wait.
  bool may_wait() const { return may_wait_; }

 private:
  bool poll(int milliseconds) const;
  void wait() const;
  void throw_if_stopped() const;
  void throw_if_cut() const;

  FileStretch stretch_;
  ReadState* state_;
  std::uint64_t* line_feeds_;
  std::uint64_t position_;
  Descriptor opened_;  // empty for standard input, which is not closed
  int descriptor_;
  bool may_wait_ = false;
  off_t size_ = 0;  // size when the file was opened
};

/// Opens `path` ("-" is standard input) without waiting: reading a FIFO waits for its writer,
/// opening does not. Data that begins like gzip, zstd, xz or bzip2 is decompressed, whatever its
/// name. If the name ends in .gz, .zst, .xz or .bz2 but the data begins otherwise, reading throws
/// an InputError. A compressed pipe counts as one that would_wait(). `state`, if given, counts the
/// bytes as stored, ends waiting, and must outlive the result. InputError if there is no such file,
/// SystemError if it cannot be opened.
std::unique_ptr<ByteSource> open_file(const std::string& path, ReadState* state = nullptr);

/// True if the regular file at `path` is decompressed when it is read. Errors as for opening and
/// reading it.
bool is_compressed(const std::string& path);

}  // namespace elmo
