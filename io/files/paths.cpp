#include "io/files/paths.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
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
    case fs::file_type::regular:
      return "a file";
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

/// The type of the file that a path leads to: not_found also for dangling links.
fs::file_type type_of(const fs::path& path) {
  std::error_code error;
  const fs::file_type type = fs::status(path, error).type();
  if (error == std::errc::filename_too_long) return fs::file_type::not_found;
  if (type == fs::file_type::none) refuse("look at", path, error.value());
  return type;
}

/// RequestError if `folder`, or a folder that it is in, is a link to nothing. The system would say
/// "File exists".
void refuse_dangling_link(const fs::path& folder) {
  std::error_code ignored;
  fs::path part;
  for (const fs::path& name : folder) {
    part /= name;
    const bool dangling = fs::is_symlink(fs::symlink_status(part, ignored)) &&
                          fs::status(part, ignored).type() == fs::file_type::not_found;
    if (!dangling) continue;
    throw RequestError(part.string() + " is a link to " + fs::read_symlink(part, ignored).string() +
                       ", which is missing; expected a folder; make it, or choose another name");
  }
}

}  // namespace

bool is_there(const fs::path& path) { return type_of(path) != fs::file_type::not_found; }
bool is_file(const fs::path& path) { return type_of(path) == fs::file_type::regular; }
bool is_folder(const fs::path& path) { return type_of(path) == fs::file_type::directory; }

std::string lack_of(const fs::path& folder, const char* name) {
  const fs::file_type type = type_of(folder);
  if (type == fs::file_type::not_found) return " is missing";
  return type == fs::file_type::directory ? " has no " + std::string(name) : " is " + kind_of(type);
}

fs::path temporary_folder() {
  const char* const chosen = std::getenv("TMPDIR");
  fs::path folder = chosen != nullptr && *chosen != '\0' ? chosen : "/tmp";
  std::error_code error;
  if (!fs::is_directory(folder, error)) refuse_temporary(folder, error ? error.value() : ENOTDIR);
  return folder;
}

void refuse_temporary(const fs::path& folder, int error) {
  throw SystemError("cannot write temporary files to " + folder.string() + ": " +
                    std::generic_category().message(error) +
                    "; set TMPDIR to a folder with room that can be written to");
}

fs::path output_target(const fs::path& path) {
  constexpr int kMaxLinks = 40;  // the kernel's limit
  fs::path target = path;
  std::error_code error;
  // Checked before links are followed, because a link to a pipe, such as /dev/stdout, does not lead
  // to a path.
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw RequestError(path.string() + " is " + kind_of(status.type()) +
                       "; expected a regular file to replace, or a new name");
  }
  for (int links = 0; fs::is_symlink(fs::symlink_status(target, error)); ++links) {
    if (links == kMaxLinks) refuse("write", path, ELOOP);
    const fs::path next = fs::read_symlink(target, error);
    if (error) refuse("write", path, error.value());
    target = target.parent_path() / next;  // an absolute path replaces all of it
  }
  if (fs::status(target, error).type() == fs::file_type::none) {
    refuse("write", path, error.value());
  }
  return target;
}

void rename_path(const fs::path& from, const fs::path& to) {
  struct stat before {};
  const bool known = ::stat(from.c_str(), &before) == 0;
  if (::rename(from.c_str(), to.c_str()) == 0) return;
  const int error = errno;
  // A network file system may rename the file but lose the reply, and fail when it retries because
  // the file is gone.
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
  if (!error) return;
  // A file system that cannot be written refuses even to remove what is missing.
  std::error_code ignored;
  const bool missing = fs::symlink_status(path, ignored).type() == fs::file_type::not_found;
  if (!missing) refuse("remove", path, error.value());
}

void remove_if_empty(const fs::path& folder) {
  if (is_folder(folder) && names_in(folder).empty()) remove_path(folder);
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (fs::exists(status) && !fs::is_directory(status)) {
    throw RequestError(folder.string() + " is " + kind_of(status.type()) +
                       "; expected a folder, or a new name");
  }
  refuse_dangling_link(folder);
  const bool made = fs::create_directories(folder, error);
  if (error) refuse("make", folder, error.value());
  if (made) sync_folder(folder.parent_path());
}

MadeFolder::MadeFolder(const fs::path& folder) {
  std::error_code ignored;
  for (fs::path path = folder; !path.empty() && !fs::exists(fs::symlink_status(path, ignored));
       path = path.parent_path()) {
    made_.push_back(path);
  }
  make_folder(folder);
}

MadeFolder::~MadeFolder() {
  // The system removes a folder only if it is empty.
  for (const fs::path& path : made_) ::rmdir(path.c_str());
}

void sync_folder(const fs::path& path) {
  const fs::path folder = path.empty() ? "." : path;
  const Descriptor descriptor = open_descriptor(folder, O_RDONLY | O_DIRECTORY, "sync");
  sync_descriptor(descriptor.get(), folder);
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (!name.starts_with(".nfs")) names.push_back(std::move(name));
  }
  if (error && error != std::errc::no_such_file_or_directory &&
      error != std::errc::not_a_directory) {
    refuse("read the folder", folder, error.value());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string padded(std::uint64_t number, std::size_t digits) {
  std::string text = std::to_string(number);
  return text.insert(0, digits - std::min(digits, text.size()), '0');
}

void raise_open_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  static_cast<void>(::setrlimit(RLIMIT_NOFILE, &limit));
}

void require_other_file(Setting setting, const std::string& output,
                        const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    if (!is_file(output) || !is_there(input) || !fs::equivalent(output, input)) continue;
    throw RequestError(setting + ": " + output + " is one of the files that are read; choose " +
                       "another name");
  }
}

void require_other_folder(const std::string& output, const fs::path& input) {
  if (is_there(output) && is_there(input) && fs::equivalent(output, input)) {
    throw RequestError(Setting{"output"} + ": " + output +
                       " is the folder that is read; choose another one");
  }
}

bool lies_in(const fs::path& path, const fs::path& folder) {
  if (!is_there(folder)) return false;
  const fs::path top = fs::canonical(folder);
  for (fs::path above = fs::weakly_canonical(fs::absolute(path));; above = above.parent_path()) {
    if (above == top) return true;
    if (!above.has_relative_path()) return false;
  }
}

ScratchFolder::ScratchFolder() {
  std::string name = (temporary_folder() / "elmo-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) refuse_temporary(fs::path(name).parent_path(), errno);
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace elmo
