#include "io/text/bytes/file_bytes.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "io/text/bytes/compression.h"
#include "io/text/bytes/decompress.h"
#include "io/text/bytes/stored_bytes.h"

namespace elmo {
namespace {

/// Bytes that have been examined already, followed by the rest of their source.
class LookedAtBytes : public ByteSource {
 public:
  LookedAtBytes(std::string head, std::unique_ptr<ByteSource> rest)
      : head_(std::move(head)), head_source_(head_), rest_(std::move(rest)) {}

  std::size_t read(char* data, std::size_t size) override {
    const std::size_t count = head_source_.read(data, size);
    return count > 0 ? count : rest_->read(data, size);
  }

 private:
  std::string head_;
  MemoryBytes head_source_;
  std::unique_ptr<ByteSource> rest_;
};

/// Returns the compression of data that begins with `head`, if any. InputError if its name says
/// otherwise.
std::optional<FileCompression> compression_of(const std::string& path, std::string_view head) {
  const std::optional<FileCompression> found = compression_of_head(head);
  const std::optional<FileCompression> named = compression_of_name(path);
  if (named && !found) {
    throw InputError(path + ": is named like " + std::string(kFileCompressions.word(*named)) +
                     " data but does not begin so; expected compressed data, or another name "
                     "for a file that is not");
  }
  return found;
}

/// The text of a file, decompressed if its first bytes are those of compressed data.
class FileText : public ByteSource {
 public:
  FileText(const std::string& path, std::atomic<std::uint64_t>& bytes_read, const Waiting& waiting)
      : path_(path),
        waiting_(waiting),
        file_(std::make_unique<StoredBytes>(FileStretch{path}, bytes_read, waiting)),
        may_wait_(file_->may_wait()) {}

  std::size_t read(char* data, std::size_t size) override {
    if (!text_) begin();
    // A decompressor cannot be interrupted, and does not report how much input it needs.
    if (compressed_ && may_wait_ && !waiting_.allowed) throw WouldWait();
    return text_->read(data, size);
  }

 private:
  void begin() {
    while (!ended_ && may_become_compressed(head_)) {
      char byte = 0;
      ended_ = file_->read(&byte, 1) == 0;
      if (!ended_) head_ += byte;
    }
    const std::optional<FileCompression> found = compression_of(path_, head_);
    text_ = std::make_unique<LookedAtBytes>(std::move(head_), std::move(file_));
    compressed_ = found.has_value();
    if (compressed_) text_ = decompress(path_, *found, std::move(text_));
  }

  std::string path_;
  const Waiting& waiting_;
  std::unique_ptr<StoredBytes> file_;
  bool may_wait_;
  std::string head_;
  bool ended_ = false;
  std::unique_ptr<ByteSource> text_;  // null until the head has been read
  bool compressed_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> open_file(const std::string& path,
                                      std::atomic<std::uint64_t>& bytes_read,
                                      const Waiting& waiting) {
  return std::make_unique<FileText>(path, bytes_read, waiting);
}

bool is_compressed(const std::string& path) {
  std::atomic<std::uint64_t> bytes_read = 0;
  const Waiting waiting;
  StoredBytes file({path}, bytes_read, waiting);
  std::string head;
  char byte = 0;
  while (may_become_compressed(head) && file.read(&byte, 1) > 0) head += byte;
  return compression_of(path, head).has_value();
}

}  // namespace elmo
