#include "io/files/checksum.h"

#include <xxhash.h>

#include <new>

#include "core/matrix.h"
#include "io/files/descriptor.h"

namespace elmo {

void Checksum::Free::operator()(XXH3_state_s* state) const { XXH3_freeState(state); }

Checksum::Checksum() : state_(XXH3_createState()) {
  if (!state_) throw std::bad_alloc();
  XXH3_128bits_reset(state_.get());
}

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
  AlignedVector<std::byte> block(std::size_t{1} << 20);
  while (const std::size_t count = read_some(descriptor, block, path)) {
    checksum.add(std::span(block).first(count));
  }
  return checksum.hex();
}

}  // namespace elmo
