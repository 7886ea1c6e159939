// A stream that sinks write to: a pipe, a file, a terminal.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace elmo {

/// Writes to a file descriptor that others own. ClosedPipe where its reader has gone (SIGPIPE has
/// to be ignored), SystemError naming `name` where the system refuses. One thread.
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
