// What the index of a run and that of a merged run have in common: how they show columns of shards.
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

/// Whether all shards of a run have that column.
bool is_everywhere(const Manifest& manifest, const ShardColumn& column);

/// Rows of a column of tokens or sentences in one shard, and in all of a run.
std::uint64_t rows_in(const ShardEntry& shard, const ShardColumn& column);
std::uint64_t rows_in(const Manifest& manifest, const ShardColumn& column);

/// What an index shows for a column of tokens or sentences: the shards, by their names in the
/// manifest.
std::vector<h5::VirtualPart> shown_shards(const Manifest& manifest, const ShardColumn& column);

/// Writes the attributes of an index. SystemError.
void write_index_attributes(h5::Writer& writer, const Manifest& manifest);

/// Adds to `problems` where the index's column is of another type or shape than `rows` rows of the
/// run's. Throws for an index that cannot be read.
void check_column(const h5::Reader& index, const Manifest& manifest, const ShardColumn& column,
                  std::uint64_t rows, Problems& problems);

/// Adds to `problems` where the index's column shows anything but what it has to. Throws likewise.
void check_shown(const h5::Reader& index, const Manifest& manifest, const ShardColumn& column,
                 Problems& problems);

/// Opens an index. Errors as h5::Reader.
h5::Reader open_index(const std::filesystem::path& path);

}  // namespace elmo
