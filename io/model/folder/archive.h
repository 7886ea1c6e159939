// Members of a zip archive, for models that are distributed as one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace elmo {

/// True where a file begins like a zip archive.
bool is_zip(const std::filesystem::path& path);

/// Names of the files in an archive, with their folders. InputError where it cannot be read, has
/// more than 10,000 members, or two files of one name.
std::vector<std::string> zip_members(const std::filesystem::path& path);

/// What a member holds. InputError where it is missing, damaged, encrypted or larger than
/// `max_bytes`.
std::string read_zip_member(const std::filesystem::path& path, const std::string& member,
                            std::uint64_t max_bytes);

/// Reads, in one pass, the members that `wanted` gives a number of bytes for, which is the most
/// that each may hold, and hands `take` what they hold. Errors as read_zip_member.
void read_zip_members(
    const std::filesystem::path& path,
    const std::function<std::optional<std::uint64_t>(const std::string& member)>& wanted,
    const std::function<void(const std::string& member, std::string content)>& take);

/// A member unpacked to a file where the system keeps temporary ones, which is gone with this
/// object.
class UnpackedMember {
 public:
  /// Errors as read_zip_member; SystemError where there is no room for it.
  UnpackedMember(const std::filesystem::path& path, const std::string& member,
                 std::uint64_t max_bytes);
  ~UnpackedMember();
  UnpackedMember(const UnpackedMember&) = delete;
  UnpackedMember& operator=(const UnpackedMember&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace elmo
