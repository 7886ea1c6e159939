// Access to the files of a model, in a folder or an archive.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "io/model/folder/archive.h"
#include "io/model/folder/location.h"

namespace elmo {

/// Returns the name of a model's file for messages.
std::string model_file_name(const ModelLocation& location, const std::filesystem::path& file);

/// Returns the content of a model's file. InputError if it is missing, not a regular file, or
/// larger than `max_bytes`; SystemError if it cannot be read.
std::string read_model_file(const ModelLocation& location, const std::filesystem::path& file,
                            std::uint64_t max_bytes);

/// A file of a model that can be opened by its path: the file itself, or a member of the archive
/// that stays unpacked as long as this object exists.
class LocalModelFile {
 public:
  /// `max_bytes` limits the size when unpacked. Errors as read_model_file and UnpackedMember.
  LocalModelFile(const ModelLocation& location, const std::filesystem::path& file,
                 std::uint64_t max_bytes);

  const std::filesystem::path& path() const { return path_; }

 private:
  std::optional<UnpackedMember> unpacked_;
  std::filesystem::path path_;
};

}  // namespace elmo
