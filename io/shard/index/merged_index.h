// index.h5 of a run merged from parts. Described in FORMAT.md.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/shard/manifest/manifest.h"

namespace elmo {

/// Writes, at `path` in `folder`, an index of the manifest's parts, which are in `folder`. Columns
/// without numbers of the whole run map to the parts' shards; the others are stored, with numbers
/// of the whole run. Bounded memory. Errors: as write_index.
void write_merged_index(const std::filesystem::path& folder, const std::filesystem::path& path,
                        const Manifest& manifest);

enum class IndexCheck {
  shapes_and_links,  ///< shapes, types, and the rows and files that it maps
  all_values         ///< also every stored number, compared with the shards
};

/// Returns the problems of the index. Problems are returned, not thrown.
std::vector<std::string> check_merged_index(const std::filesystem::path& folder,
                                            const std::filesystem::path& path,
                                            const Manifest& manifest, IndexCheck check);

}  // namespace elmo
