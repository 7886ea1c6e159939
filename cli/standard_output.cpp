#include "cli/standard_output.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.h"

namespace elmo {

void StandardOutput::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      throw ClosedPipe("the reader of standard output has gone");
    } else if (errno != EINTR) {
      throw SystemError(std::string("standard output: ") + std::strerror(errno));
    }
  }
  buffer_.clear();
}

void print(std::string_view text) {
  StandardOutput output;
  output.write(text);
  output.flush();
}

}  // namespace elmo
