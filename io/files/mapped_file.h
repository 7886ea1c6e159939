// A file's bytes, without reading them before they are needed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace elmo {

/// Maps a file into memory, read-only. The bytes stay what they are when the file is replaced by
/// another of that name; nobody may write into the file itself. Where it is cut while it is mapped,
/// reading what is gone raises SIGBUS, see mapped_path_at. Movable; any thread may read.
class MappedFile {
 public:
  /// SystemError naming the path where it cannot be opened or mapped.
  explicit MappedFile(const std::filesystem::path& path);
  /// Of a file that is open; `name` is what messages call it.
  MappedFile(int descriptor, const std::filesystem::path& name);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<const std::byte> bytes() const { return bytes_; }

  /// Says that `part` of the bytes is not read again soon: it no longer counts as memory of this
  /// process. Any thread.
  void forget(std::span<const std::byte> part) const;

 private:
  std::span<const std::byte> bytes_;
};

/// The path of the file that is mapped at that address; null where none is, or where very many are.
/// May be called by a signal handler, for as long as the mapping lives.
const char* mapped_path_at(const void* address) noexcept;

}  // namespace elmo
