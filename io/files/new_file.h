// A file that has its name only once it is whole.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace elmo {

/// Written beside under an unfinished name, in large blocks. Removed at the end of its scope unless
/// it was published. Errors: SystemError naming the path and the system's reason. One thread.
class NewFile {
 public:
  /// Begins an empty file that is to be `path`, replacing what an interrupted writer left.
  explicit NewFile(const std::filesystem::path& path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void append(std::span<const std::byte> bytes);
  /// Writes over what the file begins with; at most as much as was appended.
  void replace_beginning(std::span<const std::byte> bytes);
  void flush();    ///< to the system, so that the file at unfinished_path() holds all
  void publish();  ///< syncs, and gives the file its name; nothing may be written after

  const std::filesystem::path& unfinished_path() const { return unfinished_path_; }

 private:
  void write(const char* data, std::size_t size);
  [[noreturn]] void refuse(const char* action) const;

  std::filesystem::path path_;
  std::filesystem::path unfinished_path_;
  int descriptor_ = -1;
  std::string block_;
  bool published_ = false;
};

}  // namespace elmo
