// Whether a run's folder holds what its manifest says.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/shard/check/check.h"
#include "io/shard/manifest/manifest.h"

namespace elmo {

struct VerifyReport {
  Manifest manifest;
  std::vector<std::string> problems;  ///< what was found and what was expected
  std::vector<std::string> unread;    ///< what the system refused to read, and why

  bool sound() const { return problems.empty() && unread.empty(); }
};

/// Reads every file of a run, whole, in bounded memory: sizes, checksums, shapes, counts, offsets,
/// finite values, and the index if the run is complete; of a run that was merged, every part and
/// the index over them. HDF5 files are read in a process of its own (h5::run_apart), so that one
/// made to crash the library is a problem like others. A file that the system refuses to read does
/// not keep the others from being read. InputError where the folder has no manifest or one that
/// cannot be read.
VerifyReport verify_run(const std::filesystem::path& folder, const CheckListener& listener);

}  // namespace elmo
