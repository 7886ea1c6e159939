#include "io/shard/index.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/h5/reader.h"
#include "io/h5/writer.h"
#include "io/shard/check.h"
#include "io/shard/format.h"
#include "io/shard/shard_reader.h"

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

namespace {

constexpr std::uint64_t kBlock = 65536;  // numbers read at once
constexpr std::uint64_t kIds = 256;      // ids read at once

/// Converts the numbers of each shard to numbers of the whole run.
class StoredValues {
 public:
  explicit StoredValues(StoredUse& use) : use_(use) {}

  template <typename T>
  void add_column(const h5::Reader& shard, const ShardColumn& column, const PartBase& base) {
    const h5::Dataset dataset = shard.dataset(column.path);
    std::optional<h5::Dataset> documents;
    if (column.counts == Counts::lines)
      documents = shard.dataset(path_of(ColumnId::sentence_document));
    std::vector<T> values;
    for (std::uint64_t row = 0; row < dataset.info().rows(); row += values.size()) {
      values.resize(std::min(kBlock, dataset.info().rows() - row));
      dataset.read_rows(row, values.size(), std::span(values));
      if (documents) {
        documents_.resize(values.size());
        documents->read_rows(row, documents_.size(), std::span(documents_));
      }
      for (std::size_t index = 0; index < values.size(); ++index) {
        values[index] = static_cast<T>(of_whole(column, values[index], index, base));
      }
      // The first bound of a shard equals the last bound of the shard before it.
      const std::size_t known = column.rows == RowsOf::bound && row == 0 ? 1 : 0;
      use_.numbers(column, std::as_bytes(std::span(values).subspan(known)));
    }
  }

  /// Adds every document once: a document that continues in the next shard is listed there as well.
  void add_documents(const h5::Reader& shard, const PartBase& base) {
    const h5::Dataset numbers = shard.dataset(path_of(ColumnId::document_number));
    const h5::Dataset ids = shard.dataset(path_of(ColumnId::document_id));
    std::optional<h5::Dataset> numbered;
    if (shard.exists(path_of(ColumnId::document_numbered))) {
      numbered = shard.dataset(path_of(ColumnId::document_numbered));
    }
    std::uint64_t count = 0;
    for (std::uint64_t row = 0; row < numbers.info().rows(); row += count) {
      count = std::min(kIds, numbers.info().rows() - row);
      documents_.resize(count);
      numbers.read_rows(row, count, std::span(documents_));
      std::vector<std::uint32_t> flags(count, 0);
      if (numbered) numbered->read_rows(row, count, std::span(flags));
      std::vector<std::string> texts = ids.read_strings(row, count);
      std::vector<std::uint32_t> new_numbers;
      std::vector<std::string> new_ids;
      for (std::size_t index = 0; index < count; ++index) {
        Document document =
            base.joined({documents_[index], std::move(texts[index]), flags[index] != 0});
        if (std::int64_t{document.number} == last_document_) continue;
        last_document_ = document.number;
        new_numbers.push_back(document.number);
        new_ids.push_back(std::move(document.id));
      }
      use_.numbers(shard_column(ColumnId::document_number), std::as_bytes(std::span(new_numbers)));
      use_.document_ids(new_ids);
    }
  }

 private:
  std::uint64_t of_whole(const ShardColumn& column, std::uint64_t value, std::size_t index,
                         const PartBase& base) const {
    switch (column.counts) {
      case Counts::tokens:
        return value + base.tokens;
      case Counts::sentences:
        return value + base.sentences;
      case Counts::documents:
        return value + base.documents;
      case Counts::lines:
        return base.line(value, documents_[index]);
      case Counts::nothing:
        break;
    }
    return value;
  }

  StoredUse& use_;
  std::vector<std::uint32_t> documents_;  ///< of the current sentences or ids
  std::int64_t last_document_ = -1;       // -1: none yet
};

}  // namespace

bool is_stored(const Manifest& manifest, const ShardColumn& column) {
  return column.counts != Counts::nothing && is_everywhere(manifest, column);
}

void for_each_stored(const std::filesystem::path& folder, const Manifest& manifest,
                     StoredUse& use) {
  std::vector<ShardColumn> columns;
  for (const ShardColumn& column : kShardColumns) {
    if (column.rows != RowsOf::document && is_stored(manifest, column)) columns.push_back(column);
  }
  const std::uint64_t first = 0;
  use.numbers(shard_column(ColumnId::offsets), std::as_bytes(std::span(&first, 1)));
  StoredValues values(use);
  std::size_t number = 0;
  for (const JoinedPart& part : manifest.parts) {
    PartBase base = part.base;
    for (const std::size_t end = number + part.shards; number < end; ++number) {
      const h5::Reader shard(folder / manifest.shards[number].file);
      for (const ShardColumn& column : columns) {
        if (column.element == h5::Element::uint32) {
          values.add_column<std::uint32_t>(shard, column, base);
        } else {
          values.add_column<std::uint64_t>(shard, column, base);
        }
      }
      values.add_documents(shard, base);
      base.tokens += manifest.shards[number].tokens;
    }
  }
}

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
