// Byte streams: a file, a decompressor over one, or memory.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <exception>
#include <string_view>

namespace elmo {

/// Thrown if a read would have to wait but must not. No data is lost: the same read can be tried
/// again.
struct WouldWait : std::exception {
  const char* what() const noexcept override { return "the input has not come yet"; }
};

/// How a stream waits for bytes that have not arrived. Shared by the streams of one input.
struct Waiting {
  const std::atomic<bool>* stop = nullptr;  ///< once true, waiting throws ReadingStopped
  bool allowed = true;                      ///< if false, WouldWait is thrown instead
  std::atomic<bool> stopped = false;        ///< same effect as `*stop`

  bool is_stopped() const { return stopped || (stop != nullptr && *stop); }
};

/// A stream of bytes, read once from start to end. One thread at a time.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// Reads at least one and at most `size` bytes into `data` and returns their number; 0 at the
  /// end. InputError for a damaged archive, SystemError for a failed read. A read that waits for a
  /// pipe throws what Waiting describes.
  virtual std::size_t read(char* data, std::size_t size) = 0;
};

/// The bytes of a text, which must outlive the stream.
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
