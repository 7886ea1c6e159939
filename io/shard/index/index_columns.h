// Columns of shards in an index, for runs and merged runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "io/h5/reader.h"
#include "io/h5/writer.h"
#include "io/shard/check/problems.h"
#include "io/shard/format/columns.h"
#include "io/shard/manifest/manifest.h"

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

}  // namespace elmo
