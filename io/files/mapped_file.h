// Memory-mapped files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace elmo {

/// Maps a file into memory, read-only. The bytes do not change if another file replaces this one
/// under its name; nobody may write into the file itself. If the file is truncated while it is
/// mapped, reading past its new end raises SIGBUS: see mapped_path_at. Movable; any thread may
/// read.
class MappedFile {
 public:
  /// SystemError naming the path if the file cannot be opened or mapped.
  explicit MappedFile(const std::filesystem::path& path);
  /// Maps an open file; messages call it `name`.
  MappedFile(int descriptor, const std::filesystem::path& name);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<const std::byte> bytes() const { return bytes_; }

  /// Declares that `part` of the bytes will not be read again soon, so its pages no longer count as
  /// memory of this process. Any thread.
  void forget(std::span<const std::byte> part) const;

 private:
  std::span<const std::byte> bytes_;
};

/// Returns the path of the file that is mapped at `address`, or null if there is no mapping or too
/// many files are mapped at once to be remembered. Signal handlers may call it while the mapping
/// exists.
const char* mapped_path_at(const void* address) noexcept;

}  // namespace elmo
