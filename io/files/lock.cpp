#include "io/files/lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/error.h"

namespace elmo {
namespace {

/// True if the error means that the file system has no locks, as with NFS, Lustre and others.
bool knows_no_locks(int error) {
  constexpr int kNotSupportedByKernel = 524;  // ENOTSUPP, which leaks out of the kernel
  return error == ENOLCK || error == ENOSYS || error == EOPNOTSUPP ||
         error == kNotSupportedByKernel;
}

/// Removes anything that our writers do not leave: a symbolic or hard link, whose other file would
/// be overwritten, a pipe, or a device.
void remove_planted(const std::filesystem::path& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return;
  if (!S_ISREG(status.st_mode) || status.st_nlink > 1) ::unlink(path.c_str());
}

/// False if others removed the file, and perhaps created another one of that name, or if it has a
/// second name by now.
bool still_named(const Descriptor& descriptor, const std::filesystem::path& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(descriptor.get(), &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino && opened.st_nlink <= 1;
}

}  // namespace

std::optional<LockedFile> open_locked(const std::filesystem::path& path) {
  while (true) {
    remove_planted(path);
    Descriptor descriptor = open_descriptor(path, O_RDWR | O_CREAT | O_NOFOLLOW, "make");
    if (::flock(descriptor.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) return std::nullopt;
      if (!knows_no_locks(errno)) refuse("lock", path, errno);
      return LockedFile{std::move(descriptor), false};
    }
    if (still_named(descriptor, path)) return LockedFile{std::move(descriptor), true};
  }
}

std::string no_lock_warning(const std::filesystem::path& output) {
  return "the file system of " + output.string() +
         " has no locks: nothing keeps a second run from writing there at the same time";
}

FolderLock::FolderLock(const std::filesystem::path& folder) : path_(folder / kFolderLockFile) {
  std::optional<LockedFile> file = open_locked(path_);
  if (!file) {
    throw SystemError("another run is writing into " + folder.string() +
                      "; wait for it to end or choose another folder");
  }
  file_ = *std::move(file);
  if (!file_.locked) warning_ = no_lock_warning(folder);
}

FolderLock::~FolderLock() { ::unlink(path_.c_str()); }

}  // namespace elmo
