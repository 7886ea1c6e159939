// Zip archives of models.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
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

/// A member that is unpacked to a temporary file, which the destructor removes.
class UnpackedMember {
 public:
  /// Errors as read_zip_member; SystemError if there is not enough disk space.
  UnpackedMember(const std::filesystem::path& path, const std::string& member,
                 std::uint64_t max_bytes);
  ~UnpackedMember();
  UnpackedMember(const UnpackedMember&) = delete;
  UnpackedMember& operator=(const UnpackedMember&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  UnpackedMember();  // makes the file, empty

  std::filesystem::path path_;
  Descriptor descriptor_;  // while it is written
};

}  // namespace elmo
