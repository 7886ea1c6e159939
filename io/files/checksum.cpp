#include "io/files/checksum.h"

#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

#include <array>
#include <cerrno>
#include <new>
#include <vector>

#include "io/files/descriptor.h"

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

std::string text_checksum(std::string_view text) {
  Checksum checksum;
  checksum.add(text);
  return checksum.hex();
}

std::string file_checksum(const std::filesystem::path& path) {
  const Descriptor descriptor = open_regular_file(path, "read");
  Checksum checksum;
  std::vector<std::byte> block(std::size_t{1} << 20);
  while (true) {
    const ssize_t count = ::read(descriptor.get(), block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse("read", path, errno);
    if (count == 0) return checksum.hex();
    checksum.add(std::span(block).first(static_cast<std::size_t>(count)));
  }
}

}  // namespace elmo
