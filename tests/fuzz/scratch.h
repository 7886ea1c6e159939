// Where fuzzers keep the files they damage.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

namespace elmo {

/// A path of this process in the folder for temporary files; nothing is there at first.
inline std::filesystem::path scratch() {
  static const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("elmo-fuzz-" + std::to_string(::getpid()));
  return path;
}

}  // namespace elmo
