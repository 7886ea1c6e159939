#include "io/model/folder/files.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "core/error.h"
#include "io/files/descriptor.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

void check_file(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    throw InputError("there is no file " + path.string());
  }
  if (status.type() != fs::file_type::regular) {
    throw InputError(path.string() + " is not a regular file; expected a file of a model");
  }
}

std::string read_file(const fs::path& path, std::uint64_t max_bytes) {
  check_file(path);
  std::ifstream file(path, std::ios::binary);
  std::string content(static_cast<std::size_t>(std::min(fs::file_size(path), max_bytes + 1)), '\0');
  errno = 0;
  file.read(content.data(), static_cast<std::streamsize>(content.size()));
  if (!file && errno != 0) refuse("read", path, errno);
  if (!file) {
    throw SystemError(path.string() + " ended after " + std::to_string(file.gcount()) + " of its " +
                      std::to_string(content.size()) +
                      " bytes; expected a file that nothing else changes while it is read");
  }
  if (content.size() > max_bytes) {
    throw InputError(path.string() + " is larger than the " + std::to_string(max_bytes) +
                     " bytes that were expected at most");
  }
  return content;
}

}  // namespace

std::string model_file_name(const ModelLocation& location, const fs::path& file) {
  return location.archive ? location.archive->string() + ": " + file.string() : file.string();
}

std::string read_model_file(const ModelLocation& location, const fs::path& file,
                            std::uint64_t max_bytes) {
  if (location.archive) return read_zip_member(*location.archive, file.string(), max_bytes);
  return read_file(file, max_bytes);
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
