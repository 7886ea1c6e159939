#include "io/text/bytes/file_bytes.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/inference/sentence.h"
#include "io/text/bytes/decompression.h"

namespace elmo {
namespace {

[[noreturn]] void throw_system_error(const std::string& path, const char* what, int error) {
  throw SystemError(path + ": " + what + ": " + std::generic_category().message(error));
}

}  // namespace

FileBytes::FileBytes(FileStretch stretch, ReadState* state, std::uint64_t* line_feeds)
    : stretch_(std::move(stretch)),
      state_(state),
      line_feeds_(line_feeds),
      position_(stretch_.begin),
      descriptor_(STDIN_FILENO) {
  // Without O_NONBLOCK, opening a FIFO waits until somebody writes to it.
  if (stretch_.path != kStandardInput) {
    opened_ = Descriptor(::open(stretch_.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    descriptor_ = opened_.get();
  }
  if (descriptor_ < 0) {
    if (errno == ENOENT) throw InputError(stretch_.path + ": no such file; check the name");
    throw_system_error(stretch_.path, "cannot be opened", errno);
  }
  struct stat status {};
  may_wait_ = ::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode);
  if (S_ISDIR(status.st_mode)) {
    throw InputError(stretch_.path + ": is a folder; expected a file");
  }
  size_ = status.st_size;
  if (position_ > 0 && ::lseek(descriptor_, static_cast<off_t>(position_), SEEK_SET) < 0) {
    throw_system_error(stretch_.path, "cannot be read", errno);
  }
}

std::size_t FileBytes::read(char* data, std::size_t size) {
  if (stretch_.end) size = std::min<std::uint64_t>(size, *stretch_.end - position_);
  if (size == 0) return 0;
  ssize_t count = 0;
  do {
    if (may_wait_) wait();
    count = ::read(descriptor_, data, size);
  } while (count < 0 && (errno == EINTR || (may_wait_ && errno == EAGAIN)));
  if (count < 0) throw_system_error(stretch_.path, "cannot be read", errno);
  if (count == 0) {
    // A signal to a whole pipeline also ends the programs that write.
    if (may_wait_) throw_if_stopped();
    throw_if_cut();
  }
  const auto read = static_cast<std::uint64_t>(count);
  if (state_ != nullptr) state_->bytes += read;
  position_ += read;
  if (line_feeds_ != nullptr) {
    *line_feeds_ += static_cast<std::uint64_t>(std::count(data, data + count, '\n'));
  }
  return read;
}

/// Waits at most `milliseconds` until there is something to read or the other end is closed.
bool FileBytes::poll(int milliseconds) const {
  pollfd ready{descriptor_, POLLIN, 0};
  const int count = ::poll(&ready, 1, milliseconds);
  if (count < 0 && errno != EINTR) {
    throw_system_error(stretch_.path, "cannot be waited for", errno);
  }
  return count > 0;
}

void FileBytes::wait() const {
  constexpr int kMillisecondsBetweenLooks = 100;
  do {
    throw_if_stopped();
  } while (!poll(kMillisecondsBetweenLooks));
}

bool FileBytes::would_wait() const { return may_wait_ && !poll(0); }

void FileBytes::throw_if_stopped() const {
  if (state_ == nullptr || !state_->is_stopped()) return;
  throw ReadingStopped(stretch_.path + ": stopped before the end of the input");
}

/// Called at the end of the bytes.
void FileBytes::throw_if_cut() const {
  if (stretch_.end) {
    throw InputError(stretch_.path + ": ends at byte " + std::to_string(position_) +
                     "; expected at least the " + std::to_string(*stretch_.end) +
                     " bytes that it had; try again when it is complete");
  }
  struct stat status {};
  if (may_wait_) return;
  if (::fstat(descriptor_, &status) != 0) {
    throw_system_error(stretch_.path, "cannot be read", errno);
  }
  if (status.st_size >= size_) return;
  throw InputError(stretch_.path + ": was truncated while being read: found " +
                   std::to_string(status.st_size) + " bytes; expected the " +
                   std::to_string(size_) +
                   " that it had when it was opened; try again when it is complete");
}

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
                     " data but does not begin like it; expected compressed data, or another name "
                     "for a file that is not");
  }
  return found;
}

/// The text of a file, decompressed if it begins like compressed data.
class FileText : public ByteSource {
 public:
  FileText(const std::string& path, ReadState* state)
      : path_(path),
        file_(std::make_unique<FileBytes>(FileStretch{path}, state)),
        stored_(*file_) {}

  std::size_t read(char* data, std::size_t size) override {
    if (!text_) begin();
    return text_->read(data, size);
  }

  bool would_wait() const override {
    // A decompressor does not report how much input it needs.
    return compressed_ ? stored_.may_wait() : stored_.would_wait();
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
  std::unique_ptr<FileBytes> file_;  // null once text_ owns it
  const FileBytes& stored_;
  std::string head_;
  bool ended_ = false;
  std::unique_ptr<ByteSource> text_;  // null until the head has been read
  bool compressed_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> open_file(const std::string& path, ReadState* state) {
  return std::make_unique<FileText>(path, state);
}

bool is_compressed(const std::string& path) {
  FileBytes file({path});
  std::string head;
  char byte = 0;
  while (may_become_compressed(head) && file.read(&byte, 1) > 0) head += byte;
  return compression_of(path, head).has_value();
}

}  // namespace elmo
