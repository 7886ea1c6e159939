// index.h5, which presents all shards of a run as one. Described in FORMAT.md.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/shard/manifest/manifest.h"

namespace elmo {

/// Writes, at `path` in `folder`, an index of the manifest's shards, which are in the same folder.
/// Bounded memory. Errors: SystemError; InputError for a shard that cannot be read.
void write_index(const std::filesystem::path& folder, const std::filesystem::path& path,
                 const Manifest& manifest);

/// Compares the index at `path` with the shards of `folder`: shapes, offsets, and the rows and
/// files that it maps. Problems are returned, not thrown.
std::vector<std::string> check_index(const std::filesystem::path& folder,
                                     const std::filesystem::path& path, const Manifest& manifest);

}  // namespace elmo
