#include "io/files/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "core/error.h"

namespace elmo {

MappedFile::MappedFile(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  bool mapped = descriptor >= 0 && ::fstat(descriptor, &status) == 0;
  if (mapped && status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
    mapped = address != MAP_FAILED;
    if (mapped) bytes_ = {static_cast<const std::byte*>(address), size};
  }
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!mapped) throw SystemError("cannot map " + path.string() + ": " + std::strerror(error));
}

MappedFile::~MappedFile() {
  // munmap takes what mmap returned, which was not const.
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace elmo
