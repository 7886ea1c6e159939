#include "io/files/new_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.h"
#include "io/files/descriptor.h"
#include "io/files/durable.h"

namespace elmo {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

}  // namespace

NewFile::NewFile(const std::filesystem::path& path)
    : path_(path), unfinished_path_(path.string() + kUnfinished) {
  descriptor_ = ::open(unfinished_path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) refuse("make");
}

NewFile::~NewFile() {
  ::close(descriptor_);
  if (!published_) ::unlink(unfinished_path_.c_str());
}

void NewFile::refuse(const char* action) const {
  const int error = errno;
  throw SystemError(std::string("cannot ") + action + ' ' + unfinished_path_.string() + ": " +
                    std::strerror(error));
}

void NewFile::write(const char* data, std::size_t size) {
  if (!write_all(descriptor_, {data, size})) refuse("write");
}

void NewFile::append(std::span<const std::byte> bytes) {
  const char* data = reinterpret_cast<const char*>(bytes.data());
  if (block_.size() + bytes.size() > kBlockBytes) flush();
  if (bytes.size() > kBlockBytes) {
    write(data, bytes.size());
  } else {
    block_.append(data, bytes.size());
  }
}

void NewFile::replace_beginning(std::span<const std::byte> bytes) {
  flush();
  const off_t end = ::lseek(descriptor_, 0, SEEK_CUR);
  if (end < 0 || ::lseek(descriptor_, 0, SEEK_SET) < 0) refuse("write");
  write(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (::lseek(descriptor_, end, SEEK_SET) < 0) refuse("write");
}

void NewFile::flush() {
  write(block_.data(), block_.size());
  block_.clear();
}

void NewFile::publish() {
  flush();
  if (::fsync(descriptor_) != 0) refuse("sync");
  rename_path(unfinished_path_, path_);
  published_ = true;
  const std::filesystem::path folder = path_.parent_path();
  sync_path(folder.empty() ? "." : folder);
}

}  // namespace elmo
