#include "io/files/descriptor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "io/foreign_content.h"

namespace elmo {
namespace {

constexpr std::size_t kReadBytes = std::size_t{64} << 10;

// Without O_NONBLOCK, opening a FIFO waits for its writer.
constexpr int kReadFlags = O_RDONLY | O_NONBLOCK | O_CLOEXEC;

void require_regular(const Descriptor& descriptor, const std::filesystem::path& path) {
  struct stat status {};
  if (::fstat(descriptor.get(), &status) != 0) refuse("read", path, errno);
  if (!S_ISREG(status.st_mode)) {
    throw InputError(path.string() + " is not a regular file; expected one");
  }
}

}  // namespace

void Descriptor::reset() {
  if (number_ >= 0) ::close(number_);
  number_ = kNone;
}

void refuse(std::string_view action, const std::filesystem::path& path, int error) {
  throw SystemError("cannot " + std::string(action) + " " + path.string() + ": " +
                    std::generic_category().message(error) +
                    (error == ENOENT ? download_advice(path) : ""));
}

Descriptor open_descriptor(const std::filesystem::path& path, int flags, std::string_view action) {
  constexpr mode_t kReadAndWrite = 0666;
  Descriptor descriptor(::open(path.c_str(), flags | O_CLOEXEC, kReadAndWrite));
  if (!descriptor) refuse(action, path, errno);
  return descriptor;
}

Descriptor open_regular_file(const std::filesystem::path& path, std::string_view action) {
  Descriptor descriptor = open_descriptor(path, kReadFlags, action);
  require_regular(descriptor, path);
  return descriptor;
}

std::size_t read_some(const Descriptor& descriptor, std::span<std::byte> to,
                      const std::filesystem::path& path) {
  ssize_t count = 0;
  do count = ::read(descriptor.get(), to.data(), to.size());
  while (count < 0 && errno == EINTR);
  if (count < 0) refuse("read", path, errno);
  return static_cast<std::size_t>(count);
}

std::size_t read_at(const Descriptor& descriptor, std::span<std::byte> to, std::uint64_t offset,
                    const std::filesystem::path& path) {
  std::size_t done = 0;
  while (done < to.size()) {
    const ssize_t count = ::pread(descriptor.get(), to.data() + done, to.size() - done,
                                  static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse("read", path, errno);
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

std::string read_head(const std::filesystem::path& path, std::size_t size) {
  const Descriptor descriptor = open_regular_file(path, "read");
  std::string head(size, '\0');
  head.resize(read_some(descriptor, std::as_writable_bytes(std::span(head)), path));
  return head;
}

std::optional<std::string> read_file_if_there(const std::filesystem::path& path,
                                              std::uint64_t max_bytes) {
  const Descriptor descriptor(::open(path.c_str(), kReadFlags));
  if (!descriptor && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
  if (!descriptor) refuse("read", path, errno);
  require_regular(descriptor, path);
  std::string content;
  std::array<char, kReadBytes> block{};
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(block));
  while (const std::size_t count = read_some(descriptor, bytes, path)) {
    content.append(block.data(), count);
    if (content.size() > max_bytes) {
      throw InputError(path.string() + " is too large; expected at most " +
                       std::to_string(max_bytes) + " bytes");
    }
  }
  return content;
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      constexpr int kForever = -1;
      pollfd ready{descriptor, POLLOUT, 0};
      if (::poll(&ready, 1, kForever) < 0 && errno != EINTR) return false;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

void sync_descriptor(int descriptor, const std::filesystem::path& path) {
  if (::fsync(descriptor) == 0) return;
  // The answer of file systems that need no sync.
  if (errno == EINVAL || errno == ENOTSUP || errno == ENOSYS || errno == EROFS) return;
  refuse("sync", path, errno);
}

void Stream::write(std::string_view text) {
  if (write_all(descriptor_, text)) return;
  const int error = errno;
  if (error == EPIPE) throw ClosedPipe("the reader of " + name_ + " has gone");
  throw SystemError("cannot write to " + name_ + ": " + std::strerror(error));
}

}  // namespace elmo
