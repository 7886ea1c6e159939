#include "io/files/atomic_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <utility>

#include "core/error.h"
#include "core/workers.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

/// True if the error means that the file system has no locks, as with NFS, Lustre and others.
bool knows_no_locks(int error) {
  constexpr int kNotSupportedByKernel = 524;  // ENOTSUPP, which leaks out of the kernel
  return error == ENOLCK || error == ENOSYS || error == EOPNOTSUPP ||
         error == kNotSupportedByKernel;
}

std::string no_lock_warning(const std::filesystem::path& output) {
  return "the file system of " + output.string() +
         " has no locks: nothing keeps a second run from writing there at the same time";
}

/// Removes anything that our writers do not leave: a symbolic link, a hard link (writing would
/// change the other file), a pipe, or a device.
void remove_planted(const std::filesystem::path& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return;
  if (!S_ISREG(status.st_mode) || status.st_nlink > 1) ::unlink(path.c_str());
}

/// False if others removed the file, and perhaps created another one with that name, or gave it a
/// second name.
bool still_named(const Descriptor& descriptor, const std::filesystem::path& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(descriptor.get(), &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino && opened.st_nlink <= 1;
}

constexpr std::size_t kWriteBytes = std::size_t{1} << 20;
constexpr char kOwnerMark = '@';

/// "HOST-PID"
std::string owner() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  std::string name = host.data();
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0; };
  std::replace_if(
      name.begin(), name.end(), [&](unsigned char c) { return !is_plain(c); }, '-');
  return name + "-" + std::to_string(::getpid());
}

/// Throws a SystemError that names the folder if it is missing; other reasons are left to open().
void require_folder_of(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code error;
  const fs::file_type type = fs::status(folder, error).type();
  if (type == fs::file_type::directory || type == fs::file_type::none) return;
  throw SystemError("cannot write " + path.string() + ": " + folder.string() +
                    (type == fs::file_type::not_found ? " is missing" : " is not a folder") +
                    "; expected a folder");
}

bool is_link(const fs::path& path) {
  std::error_code error;
  return fs::is_symlink(fs::symlink_status(path, error));
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

OutputFolder::OutputFolder(const std::filesystem::path& folder)
    : made_(folder), path_(folder / kFolderLockFile) {
  const bool writable = ::faccessat(AT_FDCWD, folder.c_str(), W_OK, AT_EACCESS) == 0;
  if (!writable && (errno == EROFS || errno == EACCES)) return;
  std::optional<LockedFile> file = open_locked(path_);
  if (!file) {
    throw SystemError("another run is writing into " + folder.string() +
                      "; wait for it to end or choose another folder");
  }
  file_ = *std::move(file);
  if (!file_.locked) warning_ = no_lock_warning(folder);
}

OutputFolder::~OutputFolder() {
  if (file_.descriptor) ::unlink(path_.c_str());
}

std::optional<std::string> finished_name(std::string_view name) {
  if (!name.ends_with(kUnfinished)) return std::nullopt;
  name.remove_suffix(std::string_view(kUnfinished).size());
  return std::string(name.substr(0, name.rfind(kOwnerMark)));
}

AtomicFile::AtomicFile(const fs::path& path, Links links)
    : path_(links == Links::replaced && is_link(path) ? path : output_target(path)),
      temporary_path_(path_.string() + kUnfinished) {
  require_folder_of(path_);
  std::optional<LockedFile> file = open_locked(temporary_path_);
  if (!file) {
    throw SystemError("another run is writing " + path_.string() +
                      "; wait for it to end or choose another name");
  }
  locked_ = file->locked;
  descriptor_ = std::move(file->descriptor);
  if (!locked_) {
    ::unlink(temporary_path_.c_str());
    temporary_path_ = path_.string() + kOwnerMark + owner() + kUnfinished;
    ::unlink(temporary_path_.c_str());  // left by an earlier process with this number, or planted
    descriptor_ = open_descriptor(temporary_path_, O_RDWR | O_CREAT | O_EXCL, "make");
  }
  owned_ = true;
  if (::ftruncate(descriptor_.get(), 0) != 0) refuse("write", path_, errno);
}

AtomicFile::~AtomicFile() {
  if (owned_) ::unlink(temporary_path_.c_str());
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_path_(std::move(other.temporary_path_)),
      descriptor_(std::move(other.descriptor_)),
      block_(std::move(other.block_)),
      locked_(other.locked_),
      synced_(other.synced_),
      owned_(std::exchange(other.owned_, false)) {}

void AtomicFile::write(std::string_view text) {
  if (!write_all(descriptor_.get(), text)) refuse("write", path_, errno);
}

void AtomicFile::append(std::span<const std::byte> bytes) {
  synced_ = false;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (block_.size() + text.size() > kWriteBytes) flush();
  if (text.size() > kWriteBytes) {
    write(text);
  } else {
    block_.append(text);
  }
}

void AtomicFile::replace_beginning(std::span<const std::byte> bytes) {
  flush();
  synced_ = false;
  const off_t end = ::lseek(descriptor_.get(), 0, SEEK_CUR);
  if (end < 0 || ::lseek(descriptor_.get(), 0, SEEK_SET) < 0) refuse("write", path_, errno);
  write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (::lseek(descriptor_.get(), end, SEEK_SET) < 0) refuse("write", path_, errno);
}

void AtomicFile::flush() {
  write(block_);
  block_.clear();
}

void AtomicFile::sync() {
  flush();
  sync_descriptor(descriptor_.get(), path_);
  synced_ = true;
}

std::future<void> AtomicFile::sync_beside() const {
  Descriptor copy(::fcntl(descriptor_.get(), F_DUPFD_CLOEXEC, 0));
  if (!copy) refuse("sync", path_, errno);
  return run_beside([file = std::move(copy), path = path_] { sync_descriptor(file.get(), path); });
}

void AtomicFile::publish(const FileListener& listener) {
  const auto notify = [&](FileStep step) {
    if (listener) listener(step);
  };
  if (!synced_) sync();
  notify(FileStep::synced);
  rename_path(temporary_path_, path_);
  owned_ = false;
  notify(FileStep::renamed);
  sync_folder(path_.parent_path());
  notify(FileStep::folder_synced);
  descriptor_.reset();
}

void AtomicFile::keep() { owned_ = false; }

std::string AtomicFile::warning() const { return locked_ ? "" : no_lock_warning(path_); }

void replace_file(const fs::path& path, std::string_view content) {
  if (is_file(path) && read_head(path, content.size() + 1) == content) {
    // A process that was killed may have renamed the file only.
    sync_folder(path.parent_path());
    return;
  }
  AtomicFile file(path);
  file.append(content);
  file.publish();
}

}  // namespace elmo
