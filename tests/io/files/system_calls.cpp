// Definitions in the program take precedence over the C library's.
#include "tests/io/files/system_calls.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>

namespace elmo {
namespace {

SystemCallErrors answers;

int fail(int error) {
  errno = error;
  return -1;
}

}  // namespace

AnsweredCalls::AnsweredCalls(const SystemCallErrors& errors) { answers = errors; }
AnsweredCalls::~AnsweredCalls() { answers = {}; }

}  // namespace elmo

extern "C" {

int flock(int descriptor, int operation) noexcept {
  if (elmo::answers.flock != 0) return elmo::fail(elmo::answers.flock);
  return static_cast<int>(::syscall(SYS_flock, descriptor, operation));
}

int fsync(int descriptor) {
  struct stat status {};
  if (elmo::answers.fsync_of_folder != 0 && ::fstat(descriptor, &status) == 0 &&
      S_ISDIR(status.st_mode)) {
    return elmo::fail(elmo::answers.fsync_of_folder);
  }
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

int rename(const char* from, const char* to) noexcept {
  const auto result = static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0U));
  if (elmo::answers.last_rename != 0 && --elmo::answers.last_rename == 0) std::raise(SIGKILL);
  if (result == 0 && elmo::answers.rename_afterwards != 0) {
    return elmo::fail(elmo::answers.rename_afterwards);
  }
  return result;
}
}
