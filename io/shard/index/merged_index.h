// index.h5 of a run that was merged from parts. FORMAT.md describes it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/shard/manifest/manifest.h"

namespace elmo {

/// Writes, at `path` in `folder`, an index of the parts that the manifest lists and that lie in
/// `folder`: what holds no number of the whole it shows through to the parts' shards, the rest it
/// stores, as numbers of the whole. Bounded memory. Errors: as write_index.
void write_merged_index(const std::filesystem::path& folder, const std::filesystem::path& path,
                        const Manifest& manifest);

enum class IndexCheck {
  shapes_and_links,  ///< shapes, types, and which rows of which files it shows
  all_values         ///< also every number that is stored, besides the shards'
};

/// Returns what is wrong; never throws for what it finds.
std::vector<std::string> check_merged_index(const std::filesystem::path& folder,
                                            const std::filesystem::path& path,
                                            const Manifest& manifest, IndexCheck check);

}  // namespace elmo
