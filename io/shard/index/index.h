// index.h5: all shards of a run as one. FORMAT.md describes it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/shard/manifest/manifest.h"

namespace elmo {

/// Writes, at `path` in `folder`, an index of the shards that the manifest lists and that lie
/// beside it. Bounded memory. Errors: SystemError; InputError for a shard that cannot be read.
void write_index(const std::filesystem::path& folder, const std::filesystem::path& path,
                 const Manifest& manifest);

/// Compares the index at `path` with the shards of `folder`: shapes, offsets, and which rows of
/// which files it shows. Returns what is wrong; never throws for what it finds.
std::vector<std::string> check_index(const std::filesystem::path& folder,
                                     const std::filesystem::path& path, const Manifest& manifest);

}  // namespace elmo
