#include "io/text/file_bytes.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "io/text/decompress.h"
#include "io/text/input_files.h"

namespace elmo {
namespace {

[[noreturn]] void throw_system_error(const std::string& path, const char* what, int error) {
  throw SystemError(path + ": " + what + ": " + std::generic_category().message(error));
}

class FileBytes : public ByteSource {
 public:
  FileBytes(std::string path, std::atomic<std::uint64_t>& bytes_read, const std::atomic<bool>* stop)
      : path_(std::move(path)), bytes_read_(bytes_read), stop_(stop) {
    descriptor_ =
        path_ == kStandardInput ? STDIN_FILENO : ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) {
      if (errno == ENOENT) throw InputError(path_ + ": no such file; check the name");
      throw_system_error(path_, "cannot be opened", errno);
    }
    struct stat status {};
    may_wait_ = ::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode);
  }
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;
  ~FileBytes() override {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  }

  std::size_t read(char* data, std::size_t size) override {
    if (may_wait_ && !wait()) return 0;
    ssize_t count = 0;
    do {
      count = ::read(descriptor_, data, size);
    } while (count < 0 && errno == EINTR);
    if (count < 0) throw_system_error(path_, "cannot be read", errno);
    bytes_read_ += static_cast<std::uint64_t>(count);
    return static_cast<std::size_t>(count);
  }

 private:
  /// Waits until there is something to read or the other end is closed; false if told to stop.
  bool wait() const {
    constexpr int kMillisecondsBetweenLooks = 100;
    for (;;) {
      if (stop_ != nullptr && *stop_) return false;
      pollfd ready{descriptor_, POLLIN, 0};
      const int count = ::poll(&ready, 1, kMillisecondsBetweenLooks);
      if (count > 0) return true;
      if (count < 0 && errno != EINTR) throw_system_error(path_, "cannot be waited for", errno);
    }
  }

  std::string path_;
  std::atomic<std::uint64_t>& bytes_read_;
  const std::atomic<bool>* stop_;
  int descriptor_ = -1;
  bool may_wait_ = false;
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

std::string read_head(ByteSource& source, std::size_t size) {
  std::string head(size, '\0');
  std::size_t count = 0;
  while (count < size) {
    const std::size_t more = source.read(head.data() + count, size - count);
    if (more == 0) break;
    count += more;
  }
  head.resize(count);
  return head;
}

}  // namespace

std::unique_ptr<ByteSource> open_file(const std::string& path,
                                      std::atomic<std::uint64_t>& bytes_read,
                                      const std::atomic<bool>* stop) {
  auto file = std::make_unique<FileBytes>(path, bytes_read, stop);
  std::string head = read_head(*file, kCompressionHeadBytes);
  const std::optional<Compression> found = compression_of_head(head);
  const std::optional<Compression> named = compression_of_name(path);
  if (named && !found) {
    throw InputError(path + ": is named like " + compression_name(*named) +
                     " data but does not begin so; expected compressed data, or another name for a "
                     "file that is not");
  }
  auto stored = std::make_unique<LookedAtBytes>(std::move(head), std::move(file));
  if (!found) return stored;
  return decompress(path, *found, std::move(stored));
}

}  // namespace elmo
