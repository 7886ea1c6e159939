#include "io/shard/index/merged_index.h"

#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <span>
#include <string_view>

#include "core/error.h"
#include "io/h5/column.h"
#include "io/h5/reader.h"
#include "io/h5/writer.h"
#include "io/shard/check/problems.h"
#include "io/shard/format/columns.h"
#include "io/shard/format/format.h"
#include "io/shard/index/index_columns.h"
#include "io/shard/index/stored_values.h"

namespace elmo {
namespace {

/// True for columns that the index maps to the shards: token and sentence columns without numbers
/// of the whole run.
bool is_shown(const Manifest& manifest, const ShardColumn& column) {
  return (column.rows == RowsOf::token || column.rows == RowsOf::sentence) &&
         column.counts == Counts::nothing && is_everywhere(manifest, column);
}

/// Compares the stored columns of the index with their expected values.
class StoredCheck final : public StoredUse {
 public:
  explicit StoredCheck(const h5::Reader& index) : index_(index) {}

  void numbers(const ShardColumn& column, std::span<const std::byte> expected) override {
    auto found_column = columns_.find(column.path);
    if (found_column == columns_.end()) {
      found_column = columns_.try_emplace(column.path, index_.dataset(column.path)).first;
    }
    Column& seen = found_column->second;
    const std::size_t size = h5::element_bytes(column.element);
    const std::uint64_t count = expected.size() / size;
    const std::uint64_t left = seen.dataset.info().rows() - seen.row;
    std::vector<std::byte> found(std::min(count, left) * size);
    seen.dataset.read_rows(seen.row, found.size() / size, std::span(found));
    seen.row += found.size() / size;
    const auto differs = std::ranges::mismatch(found, expected).in1 != found.end();
    if (differs || count > left) seen.differs = true;
  }

  void document_ids(std::span<const std::string> expected) override {
    if (!ids_) ids_ = index_.dataset(path_of(ColumnId::document_id));
    const std::uint64_t left = ids_->info().rows() - id_row_;
    const std::vector<std::string> found =
        ids_->read_strings(id_row_, std::min<std::uint64_t>(left, expected.size()));
    id_row_ += found.size();
    if (!std::ranges::equal(found, expected)) ids_differ_ = true;
  }

  void tell(Problems& problems) const {
    for (const auto& [path, seen] : columns_) {
      problems.expect(!seen.differs && seen.row == seen.dataset.info().rows(),
                      path + " differs from the parts'", "their numbers, as those of the whole");
    }
    problems.expect(!ids_differ_ && (!ids_ || id_row_ == ids_->info().rows()),
                    "documents/id differs from the parts'", "their ids, each once");
  }

 private:
  struct Column {
    explicit Column(h5::Dataset opened) : dataset(std::move(opened)) {}
    h5::Dataset dataset;
    std::uint64_t row = 0;
    bool differs = false;
  };

  const h5::Reader& index_;
  std::map<std::string, Column> columns_;
  std::optional<h5::Dataset> ids_;
  std::uint64_t id_row_ = 0;
  bool ids_differ_ = false;
};

/// Writes the stored columns of the index.
class StoredColumns final : public StoredUse {
 public:
  StoredColumns(h5::Writer& writer, const Manifest& manifest) : writer_(writer) {
    for (const ShardColumn& column : kShardColumns) {
      if (is_stored(manifest, column)) add(column);
    }
    add(shard_column(ColumnId::document_id));
  }

  void numbers(const ShardColumn& column, std::span<const std::byte> values) override {
    columns_.at(column.path).append(values);
  }
  void document_ids(std::span<const std::string> ids) override {
    h5::Column& column = columns_.at(path_of(ColumnId::document_id));
    for (const std::string& id : ids) column.append(std::string_view(id));
  }
  void finish() {
    for (auto& [path, column] : columns_) column.finish();
  }

 private:
  void add(const ShardColumn& column) {
    columns_.try_emplace(column.path, writer_, column.path, column.element,
                         std::vector<std::uint64_t>{}, h5::Compression::gzip);
  }

  h5::Writer& writer_;
  std::map<std::string, h5::Column> columns_;
};

}  // namespace

void write_merged_index(const std::filesystem::path& folder, const std::filesystem::path& path,
                        const Manifest& manifest) {
  h5::Writer writer(path);
  write_index_attributes(writer, manifest);
  StoredColumns stored(writer, manifest);
  for (const ShardColumn& column : kShardColumns) {
    if (!is_shown(manifest, column)) continue;
    writer.write_virtual(column.path, column_element(column, manifest.dtype),
                         column_row_shape(column, manifest.layout), shown_shards(manifest, column));
  }
  for_each_stored(folder, manifest, stored);
  stored.finish();
  writer.close();
}

std::vector<std::string> check_merged_index(const std::filesystem::path& folder,
                                            const std::filesystem::path& path,
                                            const Manifest& manifest, IndexCheck check) {
  Problems problems(path.string());
  try {
    const h5::Reader index = open_index(path);
    for (const ShardColumn& column : kShardColumns) {
      if (!is_shown(manifest, column) && !is_stored(manifest, column)) continue;
      if (column.rows == RowsOf::document) continue;
      const std::uint64_t bounds = column.rows == RowsOf::bound ? 1 : 0;
      check_column(index, manifest, column, bounds + rows_in(manifest, column), problems);
      if (is_shown(manifest, column)) check_shown(index, manifest, column, problems);
    }
    if (!problems.texts().empty()) return std::move(problems.texts());
    if (check == IndexCheck::all_values) {
      StoredCheck stored(index);
      for_each_stored(folder, manifest, stored);
      stored.tell(problems);
    }
  } catch (const InputError& error) {
    problems.add(error.what());
  }
  return std::move(problems.texts());
}

}  // namespace elmo
