// The files of a model, in a folder or in an archive alike.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "io/model/folder/archive.h"
#include "io/model/folder/location.h"

namespace elmo {

/// What messages call a file of a model.
std::string model_file_name(const ModelLocation& location, const std::filesystem::path& file);

/// What a file of a model holds. InputError where it is missing, no regular file, or larger than
/// `max_bytes`; SystemError where it cannot be read.
std::string read_model_file(const ModelLocation& location, const std::filesystem::path& file,
                            std::uint64_t max_bytes);

/// A file of a model that can be opened by its path: itself, or a member of the archive unpacked
/// for as long as this object lives.
class LocalModelFile {
 public:
  /// `max_bytes` bounds what is unpacked. Errors as read_model_file and UnpackedMember.
  LocalModelFile(const ModelLocation& location, const std::filesystem::path& file,
                 std::uint64_t max_bytes);

  const std::filesystem::path& path() const { return path_; }

 private:
  std::optional<UnpackedMember> unpacked_;
  std::filesystem::path path_;
};

}  // namespace elmo
