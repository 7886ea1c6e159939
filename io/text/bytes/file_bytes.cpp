#include "io/text/bytes/file_bytes.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/inference/source.h"
#include "io/files/descriptor.h"
#include "io/text/bytes/decompress.h"
#include "io/text/source/input_files.h"

namespace elmo {
namespace {

[[noreturn]] void throw_system_error(const std::string& path, const char* what, int error) {
  throw SystemError(path + ": " + what + ": " + std::generic_category().message(error));
}

class FileBytes : public ByteSource {
 public:
  FileBytes(std::string path, std::atomic<std::uint64_t>& bytes_read, const Waiting& waiting,
            std::uint64_t begin = 0)
      : path_(std::move(path)), bytes_read_(bytes_read), waiting_(waiting) {
    // Without O_NONBLOCK, opening a FIFO waits until somebody writes to it.
    if (path_ != kStandardInput) {
      opened_ = Descriptor(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
      descriptor_ = opened_.get();
    }
    if (descriptor_ < 0) {
      if (errno == ENOENT) throw InputError(path_ + ": no such file; check the name");
      throw_system_error(path_, "cannot be opened", errno);
    }
    struct stat status {};
    may_wait_ = ::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode);
    size_ = status.st_size;
    if (begin > 0 && ::lseek(descriptor_, static_cast<off_t>(begin), SEEK_SET) < 0) {
      throw_system_error(path_, "cannot be read", errno);
    }
  }

  std::size_t read(char* data, std::size_t size) override {
    ssize_t count = 0;
    do {
      if (may_wait_) wait();
      count = ::read(descriptor_, data, size);
    } while (count < 0 && (errno == EINTR || (may_wait_ && errno == EAGAIN)));
    if (count < 0) throw_system_error(path_, "cannot be read", errno);
    // A signal to all of a pipeline's programs ends those that write too.
    if (count == 0 && may_wait_) throw_if_stopped();
    if (count == 0 && !may_wait_) throw_if_cut();
    bytes_read_ += static_cast<std::uint64_t>(count);
    return static_cast<std::size_t>(count);
  }

  /// Whether it is no regular file, so that its bytes may still have to come.
  bool may_wait() const { return may_wait_; }

 private:
  void throw_if_stopped() const {
    if (!waiting_.is_stopped()) return;
    throw ReadingStopped(path_ + ": stopped before the end of the input");
  }

  void throw_if_cut() const {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0 || status.st_size >= size_) return;
    throw InputError(path_ + ": was cut while it was read: found " +
                     std::to_string(status.st_size) + " bytes; expected the " +
                     std::to_string(size_) +
                     " that it had when it was opened; read it when it has been written");
  }

  /// Waits until there is something to read or the other end is closed.
  void wait() const {
    constexpr int kMillisecondsBetweenLooks = 100;
    for (;;) {
      throw_if_stopped();
      pollfd ready{descriptor_, POLLIN, 0};
      const int count = ::poll(&ready, 1, waiting_.allowed ? kMillisecondsBetweenLooks : 0);
      if (count > 0) return;
      if (count < 0 && errno != EINTR) throw_system_error(path_, "cannot be waited for", errno);
      if (count == 0 && !waiting_.allowed) throw WouldWait();
    }
  }

  std::string path_;
  std::atomic<std::uint64_t>& bytes_read_;
  const Waiting& waiting_;
  Descriptor opened_;  // none for standard input, which is not closed
  int descriptor_ = STDIN_FILENO;
  bool may_wait_ = false;
  off_t size_ = 0;  // when it was opened
};

/// Bytes that were looked at already, then the rest of their source.
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

/// How what begins like `head` is compressed, if it is; InputError where its name says another
/// thing.
std::optional<Compression> compression_of(const std::string& path, std::string_view head) {
  const std::optional<Compression> found = compression_of_head(head);
  const std::optional<Compression> named = compression_of_name(path);
  if (named && !found) {
    throw InputError(path + ": is named like " + compression_name(*named) +
                     " data but does not begin so; expected compressed data, or another name "
                     "for a file that is not");
  }
  return found;
}

/// A stretch of a regular file.
class StretchBytes : public ByteSource {
 public:
  StretchBytes(const InputStretch& stretch, std::uint64_t& line_feeds,
               std::atomic<std::uint64_t>& bytes_read, const Waiting& waiting)
      : stretch_(stretch),
        file_(stretch.path, bytes_read, waiting, stretch.begin),
        line_feeds_(line_feeds),
        at_(stretch.begin) {}

  std::size_t read(char* data, std::size_t size) override {
    const std::uint64_t end = stretch_.end.value_or(std::numeric_limits<std::uint64_t>::max());
    if (at_ == end) return 0;
    const std::size_t count = file_.read(data, std::min<std::uint64_t>(size, end - at_));
    if (count == 0 && stretch_.end) {
      throw InputError(stretch_.path + ": ends at byte " + std::to_string(at_) + "; expected the " +
                       std::to_string(end) +
                       " bytes at least that it had; read it when it has been written");
    }
    at_ += count;
    line_feeds_ += static_cast<std::uint64_t>(std::count(data, data + count, '\n'));
    return count;
  }

 private:
  InputStretch stretch_;
  FileBytes file_;
  std::uint64_t& line_feeds_;
  std::uint64_t at_;
};

/// The text of a file, which its first bytes tell how to read.
class FileText : public ByteSource {
 public:
  FileText(const std::string& path, std::atomic<std::uint64_t>& bytes_read, const Waiting& waiting)
      : path_(path),
        waiting_(waiting),
        file_(std::make_unique<FileBytes>(path, bytes_read, waiting)),
        may_wait_(file_->may_wait()) {}

  std::size_t read(char* data, std::size_t size) override {
    if (!text_) begin();
    // A decompressor cannot be left in the middle of its work and does not tell what it needs.
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
    const std::optional<Compression> found = compression_of(path_, head_);
    text_ = std::make_unique<LookedAtBytes>(std::move(head_), std::move(file_));
    compressed_ = found.has_value();
    if (compressed_) text_ = decompress(path_, *found, std::move(text_));
  }

  std::string path_;
  const Waiting& waiting_;
  std::unique_ptr<FileBytes> file_;
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
  FileBytes file(path, bytes_read, waiting);
  std::string head;
  char byte = 0;
  while (may_become_compressed(head) && file.read(&byte, 1) > 0) head += byte;
  return compression_of(path, head).has_value();
}

std::unique_ptr<ByteSource> open_stretch(const InputStretch& stretch, std::uint64_t& line_feeds,
                                         std::atomic<std::uint64_t>& bytes_read,
                                         const Waiting& waiting) {
  return std::make_unique<StretchBytes>(stretch, line_feeds, bytes_read, waiting);
}

}  // namespace elmo
