// Columns of shards in an index, for runs and merged runs.
//
// Values that the index of a merged run stores: the numbers of the whole run.
//
// index.h5, which presents all shards of a run as one. Described in FORMAT.md.
//
// index.h5 of a run merged from parts. Described in FORMAT.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "io/h5/reader.h"
#include "io/h5/writer.h"
#include "io/shard/check.h"
#include "io/shard/format.h"
#include "io/shard/manifest.h"

namespace elmo {

/// True if all shards of a run have the column.
bool is_everywhere(const Manifest& manifest, const ShardColumn& column);

/// Rows of a token or sentence column in one shard, and in a whole run.
std::uint64_t rows_in(const ShardEntry& shard, const ShardColumn& column);
std::uint64_t rows_in(const Manifest& manifest, const ShardColumn& column);

/// Returns the parts of the virtual dataset of a token or sentence column: the shards, by their
/// names in the manifest.
std::vector<h5::VirtualPart> shown_shards(const Manifest& manifest, const ShardColumn& column);

/// Writes the attributes of an index. SystemError.
void write_index_attributes(h5::Writer& writer, const Manifest& manifest);

/// Adds a problem if the index's column differs in type or shape from `rows` rows of the run's
/// column. Throws if the index cannot be read.
void check_column(const h5::Reader& index, const Manifest& manifest, const ShardColumn& column,
                  std::uint64_t rows, Problems& problems);

/// Adds a problem if the index's column maps anything but the expected rows. Throws as above.
void check_shown(const h5::Reader& index, const Manifest& manifest, const ShardColumn& column,
                 Problems& problems);

/// Opens an index. Errors as h5::Reader.
h5::Reader open_index(const std::filesystem::path& path);

/// True if an index stores that column as numbers of the whole run. It also stores the ids of
/// documents.
bool is_stored(const Manifest& manifest, const ShardColumn& column);

/// Receives the stored values, each column in row order.
class StoredUse {
 public:
  virtual ~StoredUse() = default;
  /// Whole rows, little-endian.
  virtual void numbers(const ShardColumn& column, std::span<const std::byte> values) = 0;
  virtual void document_ids(std::span<const std::string> ids) = 0;
};

/// Passes the values of all shards of a merged run to `use`, opening each shard once, in bounded
/// memory. Errors: InputError for a shard that cannot be read; SystemError.
void for_each_stored(const std::filesystem::path& folder, const Manifest& manifest, StoredUse& use);

/// Writes, at `path` in `folder`, an index of the manifest's shards, which are in the same folder.
/// Bounded memory. Errors: SystemError; InputError for a shard that cannot be read.
void write_index(const std::filesystem::path& folder, const std::filesystem::path& path,
                 const Manifest& manifest);

/// Compares the index at `path` with the shards of `folder`: shapes, offsets, and the rows and
/// files that it maps. Problems are returned, not thrown.
std::vector<std::string> check_index(const std::filesystem::path& folder,
                                     const std::filesystem::path& path, const Manifest& manifest);

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
