// Where bytes come from: a file, a decompressor over one, or memory.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <exception>
#include <string_view>

namespace elmo {

/// Thrown where a read would have to wait and is not to. Nothing is lost: the same read can be
/// tried again.
struct WouldWait : std::exception {
  const char* what() const noexcept override { return "the input has not come yet"; }
};

/// How a stream waits for bytes that have not come yet. Shared by the streams of one input.
struct Waiting {
  const std::atomic<bool>* stop = nullptr;  ///< once true, waiting throws ReadingStopped
  bool allowed = true;                      ///< else WouldWait is thrown
  std::atomic<bool> stopped = false;        ///< as what `stop` points to

  bool is_stopped() const { return stopped || (stop != nullptr && *stop); }
};

/// A stream of bytes, read once from front to back. One thread at a time.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// Reads at least one and at most `size` bytes into `data` and returns their number; 0 at the
  /// end. Throws InputError (a damaged archive), SystemError (a failed read), and where it waits
  /// for a pipe what Waiting says.
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
