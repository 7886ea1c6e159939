// The folder for files that fuzzers damage.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

namespace elmo {

/// Returns a path for this process in the folder for temporary files. No file exists there at
/// first.
inline std::filesystem::path scratch() {
  static const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("elmo-fuzz-" + std::to_string(::getpid()));
  return path;
}

}  // namespace elmo
