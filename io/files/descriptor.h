// File descriptors with an owner, and what is done with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace elmo {

/// Owns one file descriptor and closes it at the end of its scope. Movable, not shared between
/// threads.
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

  /// Closes it now. What was written is safe only after fsync, so a failure to close says nothing.
  void reset();

 private:
  static constexpr int kNone = -1;
  int number_ = kNone;
};

/// Throws the SystemError "cannot <action> <path>: <reason>" of that errno.
[[noreturn]] void refuse(std::string_view action, const std::filesystem::path& path, int error);

/// Opens a file, closed where another program is executed; `flags` are those of open(2). New files
/// may be read and written by whom the umask allows. SystemError saying that it cannot `action` the
/// path.
Descriptor open_descriptor(const std::filesystem::path& path, int flags,
                           std::string_view action = "open");

/// Opens a regular file for reading. Does not wait for the writer of a FIFO. InputError if the path
/// leads to anything but a regular file; SystemError as open_descriptor.
Descriptor open_regular_file(const std::filesystem::path& path, std::string_view action = "open");

/// Returns all bytes of a regular file; nothing if there is no file of that name. InputError also
/// for more than `max_bytes`; SystemError if it cannot be opened or read.
std::optional<std::string> read_file_if_there(
    const std::filesystem::path& path,
    std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max());

/// The first bytes of a regular file, fewer if it is shorter. Errors as open_regular_file.
std::string read_head(const std::filesystem::path& path, std::size_t size);

/// Writes all of it, however many calls that takes. Waits where a non-blocking descriptor cannot
/// take more. False, with errno set, where the system refuses.
bool write_all(int descriptor, std::string_view text);

/// Waits until what was written to a file, or a folder's list of names, is on the disk. Does
/// nothing if the file system does not support this. SystemError naming the path.
void sync_descriptor(int descriptor, const std::filesystem::path& path);

}  // namespace elmo
