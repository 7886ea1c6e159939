#include "io/shard/index.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "io/files/checksum.h"
#include "io/h5/reader.h"
#include "io/h5/writer.h"
#include "io/shard/check.h"

namespace elmo {
namespace {

constexpr std::uint64_t kIndexBlock = 65536;  // numbers read at once
constexpr std::uint64_t kStringsAtOnce = 256;
constexpr std::size_t kStringBytesAtOnce = std::size_t{1} << 20;  // or only the last string

/// Rows of a token or sentence column in one shard.
std::uint64_t rows_in(const ShardEntry& shard, const ShardColumn& column) {
  return column.rows == RowsOf::token ? shard.tokens : shard.sentences;
}

/// True for columns that an index maps to the shards.
bool is_shown(const Manifest& manifest, const ShardColumn& column) {
  return column.rows == RowsOf::token && is_everywhere(manifest, column) &&
         !is_stored(manifest, column);
}

/// Returns the parts of the virtual dataset of a column of tokens: the shards, by their names in
/// the manifest.
std::vector<h5::VirtualPart> shown_shards(const Manifest& manifest, const ShardColumn& column) {
  std::vector<h5::VirtualPart> parts;
  for (const ShardEntry& shard : manifest.shards) {
    if (shard.tokens > 0) parts.push_back({shard.file, column.path, shard.tokens});
  }
  return parts;
}

/// The checksum of a dataset of a shard that is read in row order.
class ReadChecksum {
 public:
  void add(std::span<const std::byte> rows) { checksum_.add(rows); }
  void add(const std::string& text) { checksum_.add({text.c_str(), text.size() + 1}); }

  /// InputError if the dataset of `file` has changed since it was published.
  void require(const h5::Reader& file, const ShardEntry& entry, ColumnId id) const {
    const auto listed = entry.checksums.find(path_of(id));
    const std::string expected = listed == entry.checksums.end() ? "none" : listed->second;
    if (checksum_.hex() == expected) return;
    throw InputError(file.name() + ": checksum of " + path_of(id) + " is " + checksum_.hex() +
                     "; expected " + expected + ", as " + shard_format::kManifest + " lists it");
  }

 private:
  Checksum checksum_;
};

/// Passes the stored values of the shards to `use`, each column in row order, with numbers of the
/// whole run. use.numbers(column, bytes) receives whole rows, little-endian; use.strings(column,
/// texts) receives strings. Compares everything that it reads with the checksums of the shard's
/// entry, because a changed number would be copied into the index.
template <typename Use>
class RunColumns {
 public:
  explicit RunColumns(Use& use) : use_(use) {}

  void add_column(const h5::Reader& shard, const ShardEntry& entry, const ShardColumn& column,
                  const PartBase& base) {
    if (column.element == h5::Element::string) {
      add_strings(shard, entry, column);
    } else if (column.element == h5::Element::uint32) {
      add_numbers<std::uint32_t>(shard, entry, column, base);
    } else {
      add_numbers<std::uint64_t>(shard, entry, column, base);
    }
  }

  void add_strings(const h5::Reader& shard, const ShardEntry& entry, const ShardColumn& column) {
    ReadChecksum checksum;
    std::vector<std::string> texts;
    std::size_t bytes = 0;
    const auto pass = [&] {
      use_.strings(column, texts);
      texts.clear();
      bytes = 0;
    };
    h5::for_each_string(shard.dataset(column.path), [&](const std::string& text) {
      checksum.add(text);
      texts.push_back(text);
      bytes += text.size();
      if (texts.size() == kStringsAtOnce || bytes >= kStringBytesAtOnce) pass();
    });
    pass();
    checksum.require(shard, entry, column.id);
  }

  template <typename T>
  void add_numbers(const h5::Reader& shard, const ShardEntry& entry, const ShardColumn& column,
                   const PartBase& base) {
    ReadChecksum checksum;
    const h5::Dataset dataset = shard.dataset(column.path);
    std::optional<h5::Dataset> documents;
    if (column.counts == Counts::lines)
      documents = shard.dataset(path_of(ColumnId::sentence_document));
    std::vector<T> values;
    for (std::uint64_t row = 0; row < dataset.info().rows(); row += values.size()) {
      values.resize(std::min(kIndexBlock, dataset.info().rows() - row));
      dataset.read_rows(row, values.size(), std::span(values));
      checksum.add(std::as_bytes(std::span(values)));
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
    checksum.require(shard, entry, column.id);
  }

  /// Adds every document once: a document that continues in the next shard is listed there as well.
  void add_documents(const h5::Reader& shard, const ShardEntry& entry, const PartBase& base) {
    ReadChecksum number_checksum;
    ReadChecksum id_checksum;
    ReadChecksum flag_checksum;
    const h5::Dataset numbers = shard.dataset(path_of(ColumnId::document_number));
    const h5::Dataset ids = shard.dataset(path_of(ColumnId::document_id));
    std::optional<h5::Dataset> numbered;
    if (shard.exists(path_of(ColumnId::document_numbered))) {
      numbered = shard.dataset(path_of(ColumnId::document_numbered));
    }
    std::uint64_t count = 0;
    for (std::uint64_t row = 0; row < numbers.info().rows(); row += count) {
      count = std::min(kStringsAtOnce, numbers.info().rows() - row);
      documents_.resize(count);
      numbers.read_rows(row, count, std::span(documents_));
      std::vector<std::uint32_t> flags(count, 0);
      if (numbered) numbered->read_rows(row, count, std::span(flags));
      std::vector<std::string> texts = ids.read_strings(row, count);
      number_checksum.add(std::as_bytes(std::span(documents_)));
      flag_checksum.add(std::as_bytes(std::span(flags)));
      for (const std::string& text : texts) id_checksum.add(text);
      std::vector<std::uint32_t> new_numbers;
      std::vector<std::string> new_ids;
      for (std::size_t index = 0; index < count; ++index) {
        Document document =
            base.joined({documents_[index], std::move(texts[index]), flags[index] != 0});
        if (document.number == last_document_) continue;
        last_document_ = document.number;
        new_numbers.push_back(document.number);
        new_ids.push_back(std::move(document.id));
      }
      use_.numbers(shard_column(ColumnId::document_number), std::as_bytes(std::span(new_numbers)));
      use_.strings(shard_column(ColumnId::document_id), new_ids);
    }
    number_checksum.require(shard, entry, ColumnId::document_number);
    id_checksum.require(shard, entry, ColumnId::document_id);
    if (numbered) flag_checksum.require(shard, entry, ColumnId::document_numbered);
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

  Use& use_;
  std::vector<std::uint32_t> documents_;  ///< documents of the current sentences or ids
  std::optional<std::uint32_t> last_document_;
};

/// Passes the values of all shards to `use`, opening each shard once, in bounded memory. Errors:
/// InputError for a shard that cannot be read or has changed; SystemError.
template <typename Use>
void for_each_stored(const std::filesystem::path& folder, const Manifest& manifest, Use& use) {
  const std::uint64_t first = 0;
  use.numbers(shard_column(ColumnId::offsets), std::as_bytes(std::span(&first, 1)));
  std::vector<ShardColumn> columns;
  for (const ShardColumn& column : kShardColumns) {
    if (column.rows != RowsOf::document && is_stored(manifest, column)) {
      columns.push_back(column);
    }
  }
  RunColumns<Use> values(use);
  std::vector<JoinedPart> parts = manifest.parts;
  if (parts.empty()) parts.emplace_back().shards = manifest.shards.size();
  std::size_t number = 0;
  for (const JoinedPart& part : parts) {
    PartBase base = part.base;
    for (const std::size_t end = number + part.shards; number < end; ++number) {
      const ShardEntry& shard = manifest.shards[number];
      const h5::Reader tables(folder / shard.tables.file);
      std::optional<h5::Reader> tokens;
      for (const ShardColumn& column : columns) {
        if (!column.in_tables() && !tokens) tokens.emplace(folder / shard.file);
        values.add_column(column.in_tables() ? tables : *tokens, shard, column, base);
      }
      values.add_documents(tables, shard, base);
      base.tokens += shard.tokens;
    }
  }
}

/// Writes the stored columns of the index.
class ColumnWriter {
 public:
  ColumnWriter(h5::Writer& writer, const Manifest& manifest)
      : writer_(writer),
        compression_(manifest.parts.empty() ? h5::Compression::none : h5::Compression::gzip) {
    for (const ShardColumn& column : kShardColumns) {
      if (is_stored(manifest, column)) add(column);
    }
    add(shard_column(ColumnId::document_id));
  }

  void numbers(const ShardColumn& column, std::span<const std::byte> values) {
    columns_.at(column.id).append(values);
  }
  void strings(const ShardColumn& column, std::span<const std::string> texts) {
    for (const std::string& text : texts) {
      columns_.at(column.id).append(std::string_view(text));
    }
  }
  void finish() {
    for (auto& [id, column] : columns_) column.finish();
  }

 private:
  void add(const ShardColumn& column) {
    columns_.try_emplace(column.id, writer_, column.path, column.element,
                         std::vector<std::uint64_t>{}, compression_);
  }

  h5::Writer& writer_;
  h5::Compression compression_;
  std::map<ColumnId, h5::Column> columns_;
};

/// Compares the stored columns of the index with their expected values.
class ColumnComparison {
 public:
  explicit ColumnComparison(const h5::Reader& index) : index_(index) {}

  void numbers(const ShardColumn& column, std::span<const std::byte> expected) {
    Column& seen = open(column.id);
    const std::size_t size = h5::element_bytes(column.element);
    const std::uint64_t count = expected.size() / size;
    const std::uint64_t rows = std::min(count, seen.left());
    std::vector<std::byte> found(rows * size);
    seen.dataset.read_rows(seen.row, rows, std::span(found));
    seen.row += rows;
    if (!std::ranges::equal(found, expected)) seen.differs = true;
  }

  void strings(const ShardColumn& column, std::span<const std::string> expected) {
    Column& seen = open(column.id);
    const std::vector<std::string> found =
        seen.dataset.read_strings(seen.row, std::min<std::uint64_t>(seen.left(), expected.size()));
    seen.row += found.size();
    if (!std::ranges::equal(found, expected)) seen.differs = true;
  }

  void add_problems(Problems& problems) const {
    for (const auto& [id, seen] : columns_) {
      problems.expect(!seen.differs && seen.left() == 0,
                      std::string(path_of(id)) + " differs from the shards'",
                      id == ColumnId::document_id ? "their ids, each once"
                                                  : "their values, numbered in the whole run");
    }
  }

 private:
  struct Column {
    h5::Dataset dataset;
    std::uint64_t row = 0;
    bool differs = false;

    std::uint64_t left() const { return dataset.info().rows() - row; }
  };

  Column& open(ColumnId id) {
    const auto found = columns_.find(id);
    if (found != columns_.end()) return found->second;
    return columns_.emplace(id, Column{index_.dataset(path_of(id))}).first->second;
  }

  const h5::Reader& index_;
  std::map<ColumnId, Column> columns_;
};

/// Adds a problem if the index's column differs in type or shape from the run's column, or maps
/// anything but the shards. Throws if the index cannot be read.
void check_column(const h5::Reader& index, const Manifest& manifest, const ShardColumn& column,
                  Problems& problems) {
  const h5::DatasetInfo info = index.dataset(column.path).info();
  std::vector<std::uint64_t> shape = column_row_shape(column, manifest.layout);
  shape.insert(shape.begin(), rows_in(manifest, column) + (column.rows == RowsOf::bound ? 1 : 0));
  const std::string type(h5::kElements.word(column_element(column, manifest.dtype)));
  problems.expect_equal(column.path, info.type + " " + h5::shape_text(info.shape),
                        type + " " + h5::shape_text(shape));
  if (is_stored(manifest, column)) return;
  problems.expect(index.virtual_parts(column.path) == shown_shards(manifest, column),
                  std::string(column.path) + " shows other rows",
                  "the rows of the files that the manifest lists, in order");
}

}  // namespace

bool is_everywhere(const Manifest& manifest, const ShardColumn& column) {
  return column.always() || std::ranges::all_of(manifest.shards, [&](const ShardEntry& shard) {
           return shard.checksums.contains(column.path);
         });
}

bool is_stored(const Manifest& manifest, const ShardColumn& column) {
  if (!is_everywhere(manifest, column)) return false;
  const bool numbered = column.counts != Counts::nothing;
  switch (column.rows) {
    case RowsOf::token:
      return numbered && !manifest.parts.empty();
    case RowsOf::sentence:
    case RowsOf::bound:
      return true;
    case RowsOf::document:
      return numbered;
    case RowsOf::run:
      break;
  }
  return false;
}

std::uint64_t rows_in(const Manifest& manifest, const ShardColumn& column) {
  std::uint64_t rows = 0;
  for (const ShardEntry& shard : manifest.shards) rows += rows_in(shard, column);
  return rows;
}

void write_index(const std::filesystem::path& folder, const std::filesystem::path& path,
                 const Manifest& manifest) {
  h5::Writer writer(path);
  writer.write_attribute(shard_format::kFormat, shard_format::kIndexFormat);
  writer.write_attribute(shard_format::kFormatVersion, shard_format::kVersion);
  writer.write_attribute(shard_format::kLayers, std::span(manifest.layout.rows));
  for (const auto& [name, value] : manifest.provenance) writer.write_attribute(name, value);
  for (const ShardColumn& column : kShardColumns) {
    if (!is_shown(manifest, column)) continue;
    writer.write_virtual(column.path, column_element(column, manifest.dtype),
                         column_row_shape(column, manifest.layout), shown_shards(manifest, column));
  }
  ColumnWriter stored(writer, manifest);
  for_each_stored(folder, manifest, stored);
  stored.finish();
  writer.close();
}

std::vector<std::string> check_index(const std::filesystem::path& folder,
                                     const std::filesystem::path& path, const Manifest& manifest,
                                     IndexCheck check) {
  Problems problems(path.string());
  try {
    const h5::Reader index(path, h5::VirtualDatasets::allowed);
    problems.expect_equal(shard_format::kFormatVersion,
                          index.integer_attribute(shard_format::kFormatVersion).value_or(0),
                          shard_format::kVersion);
    for (const ShardColumn& column : kShardColumns) {
      if (column.rows == RowsOf::document) continue;
      if (!is_shown(manifest, column) && !is_stored(manifest, column)) continue;
      check_column(index, manifest, column, problems);
    }
    if (problems.texts().empty() && check == IndexCheck::all_values) {
      ColumnComparison stored(index);
      for_each_stored(folder, manifest, stored);
      stored.add_problems(problems);
    }
  } catch (const InputError& error) {
    problems.add(error.what());
  }
  return std::move(problems.texts());
}

}  // namespace elmo
