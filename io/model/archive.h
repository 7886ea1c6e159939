// The files of models, which may lie in zip archives.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/files/descriptor.h"

namespace elmo {

/// True if the file begins like a zip archive.
bool is_zip(const std::filesystem::path& path);

/// Returns the names of the files in an archive, including folders. InputError if it cannot be
/// read, has more than 10,000 members, or has two files of one name.
std::vector<std::string> zip_members(const std::filesystem::path& path);

/// Returns the content of a member. InputError if it is missing, damaged, encrypted or larger than
/// `max_bytes`.
std::string read_zip_member(const std::filesystem::path& path, const std::string& member,
                            std::uint64_t max_bytes);

/// Reads several members in one pass. `wanted` returns the maximum size of a member to read, or
/// nothing to skip it; `take` receives the content. Errors as read_zip_member.
void read_zip_members(
    const std::filesystem::path& path,
    const std::function<std::optional<std::uint64_t>(const std::string& member)>& wanted,
    const std::function<void(const std::string& member, std::string content)>& take);

/// A file of a model: a file of its own, or a member of a zip archive.
struct ModelFile {
  ModelFile() = default;
  ModelFile(std::filesystem::path of_file, std::filesystem::path of_archive = {})
      : path(std::move(of_file)), archive(std::move(of_archive)) {}
  bool operator==(const ModelFile&) const = default;

  /// Returns the file's name for messages.
  std::string name() const;

  /// Returns the content. InputError if the file is missing, not a regular file, or larger than
  /// `max_bytes`; as read_zip_member for a member; SystemError if it cannot be read.
  std::string content(std::uint64_t max_bytes) const;

  std::filesystem::path path;     ///< in the archive, if there is one
  std::filesystem::path archive;  ///< empty: a file of its own
};

/// A file of a model that can be opened by its path: the file itself, or a temporary file with the
/// unpacked member, which the destructor removes.
class LocalModelFile {
 public:
  /// `max_bytes` limits the size of a member. Errors as ModelFile::content; SystemError if there is
  /// not enough disk space.
  LocalModelFile(const ModelFile& file, std::uint64_t max_bytes);
  ~LocalModelFile();
  LocalModelFile(const LocalModelFile&) = delete;
  LocalModelFile& operator=(const LocalModelFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit LocalModelFile(const ModelFile& file);  // makes the temporary file, empty

  std::filesystem::path path_;
  bool temporary_;
  Descriptor descriptor_;  // while the temporary file is written
};

}  // namespace elmo
