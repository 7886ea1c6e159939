#include "io/model/folder/files.h"

#include "core/error.h"
#include "io/files/descriptor.h"
#include "io/files/paths.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

void check_file(const fs::path& path) {
  if (!is_there(path)) throw InputError("there is no file " + path.string());
  if (!is_file(path)) {
    throw InputError(path.string() + " is not a regular file; expected a file of a model");
  }
}

}  // namespace

std::string model_file_name(const ModelLocation& location, const fs::path& file) {
  return location.archive ? location.archive->string() + ": " + file.string() : file.string();
}

std::string read_model_file(const ModelLocation& location, const fs::path& file,
                            std::uint64_t max_bytes) {
  if (location.archive) return read_zip_member(*location.archive, file.string(), max_bytes);
  check_file(file);
  std::optional<std::string> content = read_file_if_there(file, max_bytes);
  if (!content) throw InputError("there is no file " + file.string());
  return *std::move(content);
}

LocalModelFile::LocalModelFile(const ModelLocation& location, const fs::path& file,
                               std::uint64_t max_bytes)
    : path_(file) {
  if (location.archive) {
    path_ = unpacked_.emplace(*location.archive, file.string(), max_bytes).path();
  } else {
    check_file(file);
  }
}

}  // namespace elmo
