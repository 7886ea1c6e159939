#include "io/files/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "core/error.h"

namespace elmo {

void Descriptor::reset() {
  if (number_ >= 0) ::close(number_);
  number_ = kNone;
}

void refuse(std::string_view action, const std::filesystem::path& path, int error) {
  throw SystemError("cannot " + std::string(action) + " " + path.string() + ": " +
                    std::generic_category().message(error));
}

Descriptor open_descriptor(const std::filesystem::path& path, int flags, std::string_view action) {
  constexpr mode_t kReadAndWrite = 0666;
  Descriptor descriptor(::open(path.c_str(), flags | O_CLOEXEC, kReadAndWrite));
  if (!descriptor) refuse(action, path, errno);
  return descriptor;
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace elmo
