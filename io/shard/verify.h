// Checks that a run's folder holds what its manifest lists.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "io/shard/manifest.h"

namespace elmo {

enum class FileState { sound, damaged, not_read };

/// The outcome of verifying a run.
struct VerifyReport {
  Manifest manifest;
  std::map<std::string, FileState> states;  ///< by ListedFile::file; other files were not read
  std::vector<std::string> problems;        ///< with found and expected values
  std::vector<std::string> unread;          ///< files that the system refused to read, and why

  bool sound() const { return problems.empty() && unread.empty(); }
  FileState state_of(const ListedFile& file) const {
    const auto found = states.find(file.file);
    return found == states.end() ? FileState::not_read : found->second;
  }
};

/// Reads every file of a run completely, in bounded memory, and checks sizes, checksums, shapes,
/// counts, offsets, finite values, and the index if the run is complete. For a merged run, checks
/// every part and the index over them. HDF5 files are read in a separate process (h5::run_apart),
/// so that a file crafted to crash the library is reported like other problems. If the system
/// refuses to read a file, the others are still read. InputError if the folder has no manifest or
/// one that cannot be read.
VerifyReport verify_run(const std::filesystem::path& folder);

}  // namespace elmo
