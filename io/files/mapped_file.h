// A file's bytes, without reading them before they are needed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace elmo {

/// Maps a file into memory, read-only. The bytes stay what they are when the file is replaced by
/// another of that name; nobody may write into the file itself. Movable; any thread may read.
class MappedFile {
 public:
  /// SystemError naming the path where it cannot be opened or mapped.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace elmo
