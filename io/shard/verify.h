// Whether a run's folder holds what its manifest says.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "io/shard/manifest.h"

namespace elmo {

struct VerifyReport {
  Manifest manifest;
  std::vector<std::string> problems;  ///< what was found and what was expected; empty: all is well
};

/// Called before each file is read.
using VerifyListener = std::function<void(const PublishedFile&)>;

/// Reads every file of a run, whole, in bounded memory: sizes, checksums, shapes, counts, offsets,
/// finite values, and the index if the run is complete. InputError where the folder has no manifest
/// or one that cannot be read.
VerifyReport verify_run(const std::filesystem::path& folder, const VerifyListener& listener);

}  // namespace elmo
