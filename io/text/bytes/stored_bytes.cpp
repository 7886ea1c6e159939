#include "io/text/bytes/stored_bytes.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/inference/sentence.h"

namespace elmo {
namespace {

[[noreturn]] void throw_system_error(const std::string& path, const char* what, int error) {
  throw SystemError(path + ": " + what + ": " + std::generic_category().message(error));
}

}  // namespace

StoredBytes::StoredBytes(FileStretch stretch, std::atomic<std::uint64_t>& bytes_read,
                         const Waiting& waiting, std::uint64_t* line_feeds)
    : stretch_(std::move(stretch)),
      bytes_read_(bytes_read),
      waiting_(waiting),
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
  size_ = status.st_size;
  if (position_ > 0 && ::lseek(descriptor_, static_cast<off_t>(position_), SEEK_SET) < 0) {
    throw_system_error(stretch_.path, "cannot be read", errno);
  }
}

std::size_t StoredBytes::read(char* data, std::size_t size) {
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
  bytes_read_ += read;
  position_ += read;
  if (line_feeds_ != nullptr) {
    *line_feeds_ += static_cast<std::uint64_t>(std::count(data, data + count, '\n'));
  }
  return read;
}

/// Waits until there is something to read or the other end is closed.
void StoredBytes::wait() const {
  constexpr int kMillisecondsBetweenLooks = 100;
  for (;;) {
    throw_if_stopped();
    pollfd ready{descriptor_, POLLIN, 0};
    const int count = ::poll(&ready, 1, waiting_.allowed ? kMillisecondsBetweenLooks : 0);
    if (count > 0) return;
    if (count < 0 && errno != EINTR) {
      throw_system_error(stretch_.path, "cannot be waited for", errno);
    }
    if (count == 0 && !waiting_.allowed) throw WouldWait();
  }
}

void StoredBytes::throw_if_stopped() const {
  if (!waiting_.is_stopped()) return;
  throw ReadingStopped(stretch_.path + ": stopped before the end of the input");
}

/// Called at the end of the bytes.
void StoredBytes::throw_if_cut() const {
  if (stretch_.end) {
    throw InputError(stretch_.path + ": ends at byte " + std::to_string(position_) +
                     "; expected the " + std::to_string(*stretch_.end) +
                     " bytes at least that it had; read it when it has been written");
  }
  struct stat status {};
  if (may_wait_) return;
  if (::fstat(descriptor_, &status) != 0) {
    throw_system_error(stretch_.path, "cannot be read", errno);
  }
  if (status.st_size >= size_) return;
  throw InputError(stretch_.path + ": was cut while it was read: found " +
                   std::to_string(status.st_size) + " bytes; expected the " +
                   std::to_string(size_) +
                   " that it had when it was opened; read it when it has been written");
}

}  // namespace elmo
