// index.h5, which presents all shards of a run as one. Described in FORMAT.md.
//
// Columns of tokens are virtual datasets that map the shards. Columns of sentences and documents
// are stored. In a run that was merged from parts, columns of tokens with numbers of the whole run
// are stored, too.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/shard/format.h"
#include "io/shard/manifest.h"

namespace elmo {

/// True if all shards of a run have the column.
bool is_everywhere(const Manifest& manifest, const ShardColumn& column);

/// True if an index stores the column, with numbers of the whole run. It also stores the ids of
/// documents.
bool is_stored(const Manifest& manifest, const ShardColumn& column);

/// Number of rows of a token or sentence column in all shards.
std::uint64_t rows_in(const Manifest& manifest, const ShardColumn& column);

/// Writes, at `path` in `folder`, an index of the manifest's shards, which are in the same folder
/// or in folders of parts in it. Bounded memory. Errors: SystemError; InputError for a shard that
/// cannot be read or whose values differ from their checksums.
void write_index(const std::filesystem::path& folder, const std::filesystem::path& path,
                 const Manifest& manifest);

/// The extent of an index check.
enum class IndexCheck {
  shapes_and_links,  ///< shapes, types, and the rows and files that it maps
  all_values         ///< also every stored value, compared with the shards
};

/// Returns the problems of the index at `path`. Problems are returned, not thrown.
std::vector<std::string> check_index(const std::filesystem::path& folder,
                                     const std::filesystem::path& path, const Manifest& manifest,
                                     IndexCheck check);

}  // namespace elmo
