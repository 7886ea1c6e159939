#include "io/shard/index/stored_values.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/h5/reader.h"
#include "io/shard/format/columns.h"
#include "io/shard/index/index_columns.h"

namespace elmo {
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

}  // namespace elmo
