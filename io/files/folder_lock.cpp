#include "io/files/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "core/error.h"
#include "io/shard/format.h"

namespace elmo {
namespace {

/// False where the file of that name is another one by now, removed and perhaps made anew by
/// others.
bool still_named(int descriptor, const std::filesystem::path& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) : path_(folder / shard_format::kLock) {
  while (true) {
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) {
      throw SystemError("cannot write into " + folder.string() + ": " + std::strerror(errno));
    }
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      const int error = errno;
      ::close(descriptor_);
      if (error == EWOULDBLOCK) {
        throw SystemError("another run is writing into " + folder.string() +
                          "; wait for it to end or choose another folder");
      }
      throw SystemError("cannot lock " + path_.string() + ": " + std::strerror(error));
    }
    if (still_named(descriptor_, path_)) return;
    ::close(descriptor_);
  }
}

FolderLock::~FolderLock() {
  ::unlink(path_.c_str());
  ::close(descriptor_);
}

}  // namespace elmo
