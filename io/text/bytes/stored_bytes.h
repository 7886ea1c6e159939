// Bytes of a file or of standard input as they are stored.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "io/files/descriptor.h"
#include "io/text/bytes/byte_source.h"

namespace elmo {

/// What names standard input.
inline constexpr const char* kStandardInput = "-";

/// What is read of a file.
struct FileStretch {
  std::string path;                    ///< kStandardInput and pipes are read whole only
  std::uint64_t begin = 0;             ///< its first byte
  std::optional<std::uint64_t> end{};  ///< the byte past its last where that is not the file's end

  bool whole() const { return begin == 0 && !end; }
};

/// The bytes of a stretch. A FIFO is opened without waiting: it is waited for when it is read.
class StoredBytes : public ByteSource {
 public:
  /// `bytes_read` grows by the bytes read, and `line_feeds`, if given, by their line feeds. They
  /// and `waiting` outlive this. InputError if there is no such file, SystemError if it cannot be
  /// opened.
  StoredBytes(FileStretch stretch, std::atomic<std::uint64_t>& bytes_read, const Waiting& waiting,
              std::uint64_t* line_feeds = nullptr);

  /// InputError where the file became shorter or ends before the stretch does.
  std::size_t read(char* data, std::size_t size) override;

  /// Whether it is no regular file, so that its bytes may still have to come.
  bool may_wait() const { return may_wait_; }

 private:
  void wait() const;
  void throw_if_stopped() const;
  void throw_if_cut() const;

  FileStretch stretch_;
  std::atomic<std::uint64_t>& bytes_read_;
  const Waiting& waiting_;
  std::uint64_t* line_feeds_;
  std::uint64_t position_;
  Descriptor opened_;  // none for standard input, which is not closed
  int descriptor_;
  bool may_wait_ = false;
  off_t size_ = 0;  // when it was opened
};

}  // namespace elmo
