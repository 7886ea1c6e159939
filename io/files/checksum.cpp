#include "io/files/checksum.h"

#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <vector>

#include "core/error.h"

namespace elmo {

void Checksum::Free::operator()(XXH3_state_s* state) const { XXH3_freeState(state); }

Checksum::Checksum() : state_(XXH3_createState()) {
  if (!state_) throw std::bad_alloc();
  XXH3_128bits_reset(state_.get());
}
Checksum::~Checksum() = default;
Checksum::Checksum(Checksum&&) noexcept = default;
Checksum& Checksum::operator=(Checksum&&) noexcept = default;

void Checksum::add(std::span<const std::byte> bytes) {
  XXH3_128bits_update(state_.get(), bytes.data(), bytes.size());
}

std::string Checksum::hex() const {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state_.get()));
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : canonical.digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string file_checksum(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  Checksum checksum;
  std::vector<std::byte> block(std::size_t{1} << 20);
  ssize_t count = descriptor < 0 ? -1 : 1;
  while (count > 0) {
    do {
      count = ::read(descriptor, block.data(), block.size());
    } while (count < 0 && errno == EINTR);
    if (count > 0) checksum.add(std::span(block).first(static_cast<std::size_t>(count)));
  }
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (count < 0) throw SystemError("cannot read " + path.string() + ": " + std::strerror(error));
  return checksum.hex();
}

}  // namespace elmo
