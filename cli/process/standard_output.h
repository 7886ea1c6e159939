// Buffered text for standard output. Failed writes are reported.
#pragma once

#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "io/sinks/stream.h"

namespace elmo {

/// Standard output as a stream.
inline Stream standard_output() { return {STDOUT_FILENO, "standard output"}; }

/// The same, for writers that keep a pointer.
inline Stream& lasting_standard_output() {
  static Stream stream = standard_output();
  return stream;
}

/// Throws RequestError if standard output is a terminal. For output that is not readable on a
/// screen.
inline void refuse_terminal() {
  if (isatty(STDOUT_FILENO) != 1) return;
  throw RequestError("standard output is a terminal; give -o PATH, or send it to a file or a pipe");
}

/// Buffers text and writes it to a stream. Text that is not flushed is lost. Errors: as Stream. One
/// thread.
class BufferedOutput {
 public:
  explicit BufferedOutput(Stream stream = standard_output()) : stream_(std::move(stream)) {}

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
