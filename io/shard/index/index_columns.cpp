#include "io/shard/index/index_columns.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "io/shard/format/format.h"

namespace elmo {
namespace {

/// Returns what version 0.6 mapped in a merged run: the indexes of its parts.
std::vector<h5::VirtualPart> shown_indexes(const Manifest& manifest, const ShardColumn& column) {
  std::vector<h5::VirtualPart> indexes;
  std::size_t number = 0;
  for (const JoinedPart& part : manifest.parts) {
    std::uint64_t rows = 0;
    for (const std::size_t end = number + part.shards; number < end; ++number) {
      rows += rows_in(manifest.shards[number], column);
    }
    if (rows > 0) indexes.push_back({part.folder + "/" + part.index.file, column.path, rows});
  }
  return indexes;
}

}  // namespace

bool is_everywhere(const Manifest& manifest, const ShardColumn& column) {
  return column.always() || std::ranges::all_of(manifest.shards, [&](const ShardEntry& shard) {
           return shard.checksums.contains(column.path);
         });
}

std::uint64_t rows_in(const ShardEntry& shard, const ShardColumn& column) {
  return column.rows == RowsOf::token ? shard.tokens : shard.sentences;
}

std::uint64_t rows_in(const Manifest& manifest, const ShardColumn& column) {
  std::uint64_t rows = 0;
  for (const ShardEntry& shard : manifest.shards) rows += rows_in(shard, column);
  return rows;
}

std::vector<h5::VirtualPart> shown_shards(const Manifest& manifest, const ShardColumn& column) {
  std::vector<h5::VirtualPart> parts;
  for (const ShardEntry& shard : manifest.shards) {
    if (const std::uint64_t rows = rows_in(shard, column)) {
      parts.push_back({shard.file, column.path, rows});
    }
  }
  return parts;
}

void write_index_attributes(h5::Writer& writer, const Manifest& manifest) {
  writer.write_attribute(shard_format::kFormat, shard_format::kIndexFormat);
  writer.write_attribute(shard_format::kFormatVersion, shard_format::kVersion);
  writer.write_attribute(shard_format::kLayers, std::span(manifest.layout.rows));
  for (const auto& [name, value] : manifest.fingerprint) writer.write_attribute(name, value);
}

void check_column(const h5::Reader& index, const Manifest& manifest, const ShardColumn& column,
                  std::uint64_t rows, Problems& problems) {
  const h5::DatasetInfo info = index.dataset(column.path).info();
  std::vector<std::uint64_t> shape = column_row_shape(column, manifest.layout);
  shape.insert(shape.begin(), rows);
  const std::string type(h5::kElements.word(column_element(column, manifest.dtype)));
  problems.expect_equal(column.path, info.type + " " + h5::shape_text(info.shape),
                        type + " " + h5::shape_text(shape));
}

void check_shown(const h5::Reader& index, const Manifest& manifest, const ShardColumn& column,
                 Problems& problems) {
  const std::vector<h5::VirtualPart> shown = index.virtual_parts(column.path);
  problems.expect(shown == shown_shards(manifest, column) ||
                      (!manifest.parts.empty() && shown == shown_indexes(manifest, column)),
                  std::string(column.path) + " shows other rows",
                  "those of the files that the manifest lists, one after the other");
}

h5::Reader open_index(const std::filesystem::path& path) {
  return h5::Reader(path, h5::VirtualDatasets::allowed);
}

}  // namespace elmo
