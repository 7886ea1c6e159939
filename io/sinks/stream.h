// The output stream of sinks: a pipe, a file, a terminal.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

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

}  // namespace elmo
