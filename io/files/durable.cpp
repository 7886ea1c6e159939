#include "io/files/durable.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "core/error.h"
#include "io/files/descriptor.h"

namespace elmo {
namespace {

[[noreturn]] void refuse(const char* action, const std::filesystem::path& path, int error) {
  throw SystemError(std::string("cannot ") + action + " " + path.string() + ": " +
                    std::strerror(error));
}

}  // namespace

void sync_path(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!synced) refuse("sync", path, error);
}

void rename_path(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) refuse("rename", from, errno);
}

void remove_path(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::remove(path, error);
  if (error) throw SystemError("cannot remove " + path.string() + ": " + error.message());
}

void write_synced(const std::filesystem::path& path, std::string_view content) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) refuse("make", path, errno);
  const bool written = write_all(descriptor, content) && ::fsync(descriptor) == 0;
  const int error = errno;
  ::close(descriptor);
  if (written) return;
  ::unlink(path.c_str());
  refuse("write", path, error);
}

void replace_file(const std::filesystem::path& path, std::string_view content) {
  const std::filesystem::path unfinished = path.string() + kUnfinished;
  write_synced(unfinished, content);
  rename_path(unfinished, path);
}

}  // namespace elmo
