// Checking files of a run in a process of their own: a crafted file, whose checksum the manifest
// confirms, may crash the HDF5 library.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "io/h5/trial.h"
#include "io/shard/manifest/manifest.h"

namespace elmo {

/// Does check_shard for the shard of that number in the manifest, which is the folder's, and tells
/// what is wrong, activations that are not finite included. What the check does not survive is a
/// problem, too. SystemError where no process can be started. Any thread.
std::vector<std::string> try_shard(const std::filesystem::path& folder, const Manifest& manifest,
                                   std::size_t number);

/// Does check_index for the index that the manifest lists, likewise.
std::vector<std::string> try_index(const std::filesystem::path& folder, const Manifest& manifest);

/// What the two have tried out.
void add_shard_readings(h5::TrialReadings& readings);

}  // namespace elmo
