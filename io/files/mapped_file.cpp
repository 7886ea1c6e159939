#include "io/files/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <string>
#include <utility>

#include "io/files/descriptor.h"

namespace elmo {
namespace {

/// The data about one mapping for signal handlers, which may take no lock. The address is written
/// last and cleared first.
struct KnownMapping {
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::size_t> size{0};
  std::array<char, 4096> path{};
};
std::array<KnownMapping, 16> known_mappings;
constexpr std::uintptr_t kTaken = 1;  // not the address of a page
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);

void make_known(std::uintptr_t begin, std::size_t size, const std::string& path) {
  for (KnownMapping& mapping : known_mappings) {
    std::uintptr_t free = 0;
    if (!mapping.begin.compare_exchange_strong(free, kTaken)) continue;
    mapping.size = size;
    mapping.path.fill('\0');
    std::copy_n(path.begin(), std::min(path.size(), mapping.path.size() - 1), mapping.path.begin());
    mapping.begin = begin;
    return;
  }
}

void make_unknown(std::uintptr_t begin) {
  for (KnownMapping& mapping : known_mappings) {
    std::uintptr_t expected = begin;
    if (mapping.begin.compare_exchange_strong(expected, 0)) return;
  }
}

std::uintptr_t address_number(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path)
    : MappedFile(open_regular_file(path, "map").get(), path) {}

MappedFile::MappedFile(int descriptor, const std::filesystem::path& name) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) refuse("map", name, errno);
  if (status.st_size == 0) return;
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const address = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
  if (address == MAP_FAILED) refuse("map", name, errno);
  bytes_ = {static_cast<const std::byte*>(address), size};
  make_known(address_number(address), size, name.string());
}

MappedFile::~MappedFile() {
  if (bytes_.empty()) return;
  make_unknown(address_number(bytes_.data()));
  // munmap takes what mmap returned, which was not const.
  ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

void MappedFile::forget(std::span<const std::byte> part) const {
  // Whole pages only: data next to `part` may be in use.
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t before = (page - address_number(part.data()) % page) % page;
  if (part.size() < before + page) return;
  const std::size_t size = (part.size() - before) / page * page;
  ::madvise(const_cast<std::byte*>(part.data() + before), size, MADV_DONTNEED);
}

const char* mapped_path_at(const void* address) noexcept {
  const std::uintptr_t sought = address_number(address);
  for (const KnownMapping& mapping : known_mappings) {
    const std::uintptr_t begin = mapping.begin;
    if (begin > kTaken && sought >= begin && sought - begin < mapping.size)
      return mapping.path.data();
  }
  return nullptr;
}

}  // namespace elmo
