// 128-bit XXH3 checksums.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct XXH3_state_s;

namespace elmo {

/// The checksum of a stream of bytes. Movable; not thread-safe.
class Checksum {
 public:
  Checksum();

  void add(std::span<const std::byte> bytes);
  void add(std::string_view text) { add(std::as_bytes(std::span(text))); }

  /// The checksum of all bytes added so far: 32 hexadecimal digits, as `xxh128sum` prints them.
  std::string hex() const;

 private:
  struct Free {
    void operator()(XXH3_state_s* state) const;
  };
  std::unique_ptr<XXH3_state_s, Free> state_;
};

/// The checksum of a text, as Checksum::hex gives it.
std::string text_checksum(std::string_view text);

/// The checksum of a file's bytes. SystemError if the file cannot be read.
std::string file_checksum(const std::filesystem::path& path);

}  // namespace elmo
