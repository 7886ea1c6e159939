#include "io/files/stream.h"

#include <cerrno>
#include <cstring>

#include "core/error.h"
#include "io/files/descriptor.h"

namespace elmo {

void Stream::write(std::string_view text) {
  if (write_all(descriptor_, text)) return;
  const int error = errno;
  if (error == EPIPE) throw ClosedPipe("the reader of " + name_ + " has gone");
  throw SystemError("cannot write to " + name_ + ": " + std::strerror(error));
}

}  // namespace elmo
