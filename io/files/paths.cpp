#include "io/files/paths.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "core/error.h"
#include "io/files/descriptor.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

std::string kind_of(fs::file_type type) {
  switch (type) {
    case fs::file_type::directory:
      return "a folder";
    case fs::file_type::character:
    case fs::file_type::block:
      return "a device";
    case fs::file_type::fifo:
      return "a named pipe";
    case fs::file_type::socket:
      return "a socket";
    default:
      return "no regular file";
  }
}

fs::path parent_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

}  // namespace

fs::path output_target(const fs::path& path) {
  constexpr int kMaxLinks = 40;  // as the kernel follows
  fs::path target = path;
  std::error_code error;
  for (int links = 0; fs::is_symlink(fs::symlink_status(target, error)); ++links) {
    if (links == kMaxLinks) refuse("write", path, ELOOP);
    const fs::path next = fs::read_symlink(target, error);
    if (error) refuse("write", path, error.value());
    target = target.parent_path() / next;  // an absolute one replaces all
  }
  const fs::file_status status = fs::status(target, error);
  if (status.type() == fs::file_type::none) refuse("write", path, error.value());
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw RequestError(path.string() + " is " + kind_of(status.type()) +
                       "; expected a regular file to replace, or a new name");
  }
  return target;
}

void rename_path(const fs::path& from, const fs::path& to) {
  struct stat before {};
  const bool known = ::stat(from.c_str(), &before) == 0;
  if (::rename(from.c_str(), to.c_str()) == 0) return;
  const int error = errno;
  // A network file system may do it, lose the answer, and find nothing to rename when it asks
  // again.
  struct stat after {};
  if (error == ENOENT && known && ::stat(to.c_str(), &after) == 0 &&
      before.st_dev == after.st_dev && before.st_ino == after.st_ino) {
    return;
  }
  refuse("rename", from, error);
}

void remove_path(const fs::path& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) refuse("remove", path, error.value());
}

void remove_folder(const fs::path& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  if (error) throw SystemError("cannot remove " + folder.string() + ": " + error.message());
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  const bool made = fs::create_directories(folder, error);
  if (error) refuse("make", folder, error.value());
  if (made) sync_folder(parent_of(folder));
}

void sync_folder(const fs::path& folder) {
  const Descriptor descriptor = open_descriptor(folder, O_RDONLY | O_DIRECTORY, "sync");
  if (::fsync(descriptor.get()) == 0) return;
  // So say file systems that keep names in order by themselves.
  if (errno == EINVAL || errno == ENOTSUP) return;
  refuse("sync", folder, errno);
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (!name.starts_with(".nfs")) names.push_back(std::move(name));
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    refuse("read the folder", folder, error.value());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace elmo
