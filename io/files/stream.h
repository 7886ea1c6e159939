// Output to a descriptor: a pipe, a file or a terminal.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace elmo {

/// Writes to a file descriptor that the caller owns. ClosedPipe if its reader has gone (SIGPIPE
/// must be ignored), SystemError naming `name` if the system refuses. One thread.
class Stream {
 public:
  Stream(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}

  void write(std::string_view text);
  void write(std::span<const std::byte> bytes) {
    write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }

 private:
  int descriptor_;
  std::string name_;
};

/// Buffers text and writes it to a stream. Text that is not flushed is lost. Errors: as Stream. One
/// thread.
class BufferedOutput {
 public:
  explicit BufferedOutput(Stream stream) : stream_(std::move(stream)) {}

  void write(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= kBufferBytes) flush();
  }
  void flush() {
    stream_.write(buffer_);
    buffer_.clear();
  }

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

  Stream stream_;
  std::string buffer_;
};

}  // namespace elmo
