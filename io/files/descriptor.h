// Owned file descriptors, functions that open, read, write and sync them, and errors that name the
// file they are about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/error.h"

namespace elmo {

/// Owns one file descriptor and closes it in the destructor. Movable; not thread-safe.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, kNone)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      reset();
      number_ = std::exchange(other.number_, kNone);
    }
    return *this;
  }

  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

  /// Closes the descriptor now. Ignores failure to close: only fsync makes written data safe.
  void reset();

 private:
  static constexpr int kNone = -1;
  int number_ = kNone;
};

/// Throws the SystemError "cannot <action> <path>: <reason>"; `error` is an errno.
[[noreturn]] void refuse(std::string_view action, const std::filesystem::path& path, int error);

/// Opens a file with the `flags` of open(2) and close-on-exec. New files are readable and writable
/// for everyone the umask allows. SystemError "cannot <action> <path>: <reason>".
Descriptor open_descriptor(const std::filesystem::path& path, int flags,
                           std::string_view action = "open");

/// Opens a regular file for reading. Does not wait for the writer of a FIFO. InputError if the path
/// leads to anything but a regular file; SystemError as for open_descriptor.
Descriptor open_regular_file(const std::filesystem::path& path, std::string_view action = "open");

/// Returns all bytes of a regular file, or nothing if there is no file of that name. InputError if
/// it is not a regular file or has more than `max_bytes`; SystemError if it cannot be opened or
/// read.
std::optional<std::string> read_file_if_there(
    const std::filesystem::path& path,
    std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max());

/// Returns the first `size` bytes of a regular file, fewer if it is shorter. Errors as
/// open_regular_file.
std::string read_head(const std::filesystem::path& path, std::size_t size);

/// Reads the available bytes, at most to.size(). Returns their number; 0 only at the end.
/// SystemError naming `path`.
std::size_t read_some(const Descriptor& descriptor, std::span<std::byte> to,
                      const std::filesystem::path& path);

/// Fills `to` from byte `offset` of the file on; returns fewer bytes at its end only. Errors as
/// read_some.
std::size_t read_at(const Descriptor& descriptor, std::span<std::byte> to, std::uint64_t offset,
                    const std::filesystem::path& path);

/// Writes all of `text`, in as many calls as that takes. Waits while a non-blocking descriptor
/// cannot accept more. Returns false and sets errno if the system refuses.
bool write_all(int descriptor, std::string_view text);

/// Waits until the data of a file, or the list of names of a folder, is on the disk. Does nothing
/// if the file system does not support this. SystemError naming the path.
void sync_descriptor(int descriptor, const std::filesystem::path& path);

/// The bytes of `value` in memory; valid as long as `value` is.
template <typename T>
std::span<const std::byte> bytes_of(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::as_bytes(std::span(&value, 1));
}

/// Returns the result of `read`. If it throws an InputError, puts the name of the file in front of
/// the message unless it is already there.
template <typename Read>
auto name_errors(const std::string& name, Read&& read) {
  try {
    return read();
  } catch (const InputError& error) {
    if (std::string_view(error.what()).starts_with(name + ": ")) throw;
    throw InputError(name + ": " + error.message());
  }
}

/// Writes to a file descriptor that the caller owns. ClosedPipe if its reader has gone (SIGPIPE
/// must be ignored), SystemError naming `name` if the system refuses. One thread.
class Stream {
 public:
  Stream(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}

  void write(std::string_view text);
  void write(std::span<const std::byte> bytes) {
    write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }

 private:
  int descriptor_;
  std::string name_;
};

/// Buffers text and writes it to a stream. Text that is not flushed is lost. Errors: as Stream. One
/// thread.
class BufferedOutput {
 public:
  explicit BufferedOutput(Stream stream) : stream_(std::move(stream)) {}

  void write(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= kBufferBytes) flush();
  }
  void flush() {
    stream_.write(buffer_);
    buffer_.clear();
  }

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

  Stream stream_;
  std::string buffer_;
};

}  // namespace elmo
