#include "io/shard/index/index.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <span>

#include "core/error.h"
#include "io/h5/column.h"
#include "io/h5/reader.h"
#include "io/h5/writer.h"
#include "io/shard/check/problems.h"
#include "io/shard/format/columns.h"
#include "io/shard/format/format.h"
#include "io/shard/index/index_columns.h"
#include "io/shard/read/sequence.h"

namespace elmo {
namespace {

/// Returns the columns that the index maps to the shards: columns of tokens and sentences that all
/// shards have.
std::vector<ShardColumn> through_columns(const Manifest& manifest) {
  std::vector<ShardColumn> columns;
  for (const ShardColumn& column : kShardColumns) {
    if (column.rows != RowsOf::token && column.rows != RowsOf::sentence) continue;
    if (is_everywhere(manifest, column)) columns.push_back(column);
  }
  return columns;
}

/// Calls `use` with the offsets of all shards, one by one, converted to offsets into all rows.
template <typename Use>
void for_each_offset(const std::filesystem::path& folder, const Manifest& manifest, Use use) {
  std::uint64_t base = 0;
  use(base);
  for (const ShardEntry& shard : manifest.shards) {
    const h5::Reader reader(folder / shard.file);
    Sequence<std::uint64_t> offsets(reader.dataset(path_of(ColumnId::offsets)));
    for (std::uint64_t index = 0; index < offsets.size(); ++index) {
      const std::uint64_t offset = offsets.next();
      if (index != 0) use(base + offset);
    }
    base += shard.tokens;
  }
}

/// Writes every document once: a document that continues in the next shard is listed there as well.
void write_documents(const std::filesystem::path& folder, const Manifest& manifest,
                     h5::Writer& writer) {
  h5::Column numbers(writer, path_of(ColumnId::document_number), h5::Element::uint32, {},
                     h5::Compression::none);
  h5::Column ids(writer, path_of(ColumnId::document_id), h5::Element::string, {},
                 h5::Compression::none);
  std::optional<std::uint32_t> last;
  for (const ShardEntry& shard : manifest.shards) {
    const h5::Reader reader(folder / shard.file);
    Sequence<std::uint32_t> shard_numbers(reader.dataset(path_of(ColumnId::document_number)));
    const h5::Dataset shard_ids = reader.dataset(path_of(ColumnId::document_id));
    for (std::uint64_t index = 0; index < shard_numbers.size(); ++index) {
      const std::uint32_t number = shard_numbers.next();
      if (number == last) continue;
      last = number;
      numbers.append(std::as_bytes(std::span(&number, 1)));
      ids.append(shard_ids.read_strings(index, 1).front());
    }
  }
  numbers.finish();
  ids.finish();
}

}  // namespace

void write_index(const std::filesystem::path& folder, const std::filesystem::path& path,
                 const Manifest& manifest) {
  h5::Writer writer(path);
  write_index_attributes(writer, manifest);
  for (const ShardColumn& column : through_columns(manifest)) {
    writer.write_virtual(column.path, column_element(column, manifest.dtype),
                         column_row_shape(column, manifest.layout), shown_shards(manifest, column));
  }
  h5::Column offsets(writer, path_of(ColumnId::offsets), h5::Element::uint64, {},
                     h5::Compression::none);
  for_each_offset(folder, manifest, [&](std::uint64_t offset) {
    offsets.append(std::as_bytes(std::span(&offset, 1)));
  });
  offsets.finish();
  write_documents(folder, manifest, writer);
  writer.close();
}

std::vector<std::string> check_index(const std::filesystem::path& folder,
                                     const std::filesystem::path& path, const Manifest& manifest) {
  Problems problems(path.string());
  try {
    const h5::Reader reader = open_index(path);
    for (const ShardColumn& column : through_columns(manifest)) {
      check_column(reader, manifest, column, rows_in(manifest, column), problems);
      check_shown(reader, manifest, column, problems);
    }
    Sequence<std::uint64_t> offsets(reader.dataset(path_of(ColumnId::offsets)));
    problems.expect_equal("length of sentences/offsets", offsets.size(),
                          rows_in(manifest, shard_column(ColumnId::offsets)) + 1);
    if (!problems.texts().empty()) return std::move(problems.texts());

    std::uint64_t differing = 0;
    for_each_offset(folder, manifest,
                    [&](std::uint64_t offset) { differing += offsets.next() == offset ? 0 : 1; });
    problems.expect_equal("number of offsets that differ from the shards'", differing, 0);
  } catch (const InputError& error) {
    problems.add(error.what());
  }
  return std::move(problems.texts());
}

}  // namespace elmo
