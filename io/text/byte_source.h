// Where bytes come from: a file, a decompressor over one, or memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace elmo {

/// A stream of bytes, read once from front to back. One thread at a time.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// Reads at least one and at most `size` bytes into `data` and returns their number; 0 at the
  /// end. Throws InputError (a damaged archive) or SystemError (a failed read).
  virtual std::size_t read(char* data, std::size_t size) = 0;
};

/// The bytes of a text that outlives it.
class MemoryBytes : public ByteSource {
 public:
  explicit MemoryBytes(std::string_view bytes) : rest_(bytes) {}

  std::size_t read(char* data, std::size_t size) override {
    const std::size_t count = std::min(size, rest_.size());
    std::memcpy(data, rest_.data(), count);
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
};

}  // namespace elmo
