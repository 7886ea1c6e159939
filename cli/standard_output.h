// Standard output, written in large pieces and never silently lost.
#pragma once

#include <string>
#include <string_view>

namespace elmo {

/// A buffer before file descriptor 1. Throws ClosedPipe where the reader has gone and SystemError
/// where writing fails otherwise. What is not flushed is dropped. One thread.
class StandardOutput {
 public:
  void write(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= kBufferBytes) flush();
  }
  void flush();

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 16;
  std::string buffer_;
};

/// Prints a whole text.
void print(std::string_view text);

}  // namespace elmo
