// Reads and describes one shard.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/inference/activations.h"
#include "io/dtype.h"
#include "io/h5/dataset.h"
#include "io/h5/reader.h"
#include "io/shard/format.h"
#include "io/shard/manifest.h"

namespace elmo {

/// A shard's attributes and counts. `input_hash` is "absent" without the attribute.
struct ShardContents : ShardCounts {
  ActivationLayout layout;
  Dtype dtype = Dtype::float32;
};

/// A shard and its tables as a source of activations. If it lists only selected sentences, or
/// pooled rows, they are numbered consecutively from the first one, and their tokens are those that
/// have a row. Opening checks that shapes and attributes are consistent; the rest is checked as it
/// is read. HDF5 reads the files directly: use h5::open_screened for untrusted ones. Errors and
/// threads: as ActivationSource, with InputError naming the file; SystemError if it cannot be
/// opened.
class ShardReader final : public ActivationSource {
 public:
  /// `base` is added to the shard's numbers of sentences, documents and lines.
  ShardReader(h5::Reader file, h5::Reader tables, const PartBase& base = {});

  const ShardContents& contents() const { return contents_; }
  /// Lists how the shard's attributes differ from its run's provenance; empty if they do not.
  std::string difference_from(const Provenance& run) const;
  /// Opens a dataset of the shard or of its tables.
  h5::Dataset dataset(const ShardColumn& column) const {
    return file_of(column).dataset(column.path);
  }

  const ActivationLayout& layout() const override { return contents_.layout; }
  std::uint64_t sentence_begin() const override { return contents_.first_sentence; }
  std::uint64_t sentence_end() const override {
    return contents_.first_sentence + contents_.sentences;
  }
  std::uint64_t token_count() const override { return contents_.tokens; }
  TokenRange tokens_of(std::uint64_t number) override;
  void read(std::uint64_t number, const BlockLimit& limit, ActivationBlock& block) override;
  void read_activations(TokenRange tokens, std::span<float> values) override;

  /// Reads the text of these tokens, without activations.
  std::vector<std::string> read_tokens(TokenRange tokens);

 private:
  /// The file with the column.
  const h5::Reader& file_of(const ShardColumn& column) const {
    return column.in_tables() ? tables_ : file_;
  }
  bool exists(const ShardColumn& column) const { return file_of(column).exists(column.path); }
  h5::Dataset open(const ShardColumn& column) const;
  const std::optional<h5::Dataset>& find(ColumnId id) const {
    return columns_[static_cast<std::size_t>(id)];
  }
  /// Returns a column that the shard must have.
  const h5::Dataset& of(ColumnId id) const { return *find(id); }
  std::uint64_t count(ColumnId id) const;
  std::uint64_t number_attribute(const char* name) const;
  void require(bool holds, const std::string& found, const std::string& expected) const;
  std::vector<std::uint64_t> read_offsets(std::uint64_t index, std::uint64_t count) const;
  std::shared_ptr<const Document> document(std::uint32_t number);

  h5::Reader file_;
  h5::Reader tables_;
  PartBase base_;
  ShardContents contents_;
  std::array<std::optional<h5::Dataset>, kShardColumns.size()> columns_;  ///< indexed by ColumnId
  std::shared_ptr<const Document> document_;  ///< the last one that was read
  std::uint32_t document_number_in_shard_ = 0;
  std::uint64_t document_index_ = 0;  ///< its row in /documents
};

/// Opens shard `number` of `manifest`, the manifest of `folder`. Errors as ShardReader; also
/// InputError for a shard that is missing, has changed in size, contradicts its entry, or has
/// another layout, dtype or provenance than the run. Any thread.
std::unique_ptr<ShardReader> open_shard(const std::filesystem::path& folder,
                                        const Manifest& manifest, std::size_t number);

/// The attributes and datasets of a file of a run, for `elmo info`.
struct ShardDescription {
  std::string format;       ///< shard_format::kShardFormat, kTablesFormat or kIndexFormat
  std::uint64_t bytes = 0;  ///< size of the file
  std::vector<std::pair<std::string, std::string>> attributes;  ///< sorted; lists joined by ", "
  std::vector<std::pair<std::string, h5::DatasetInfo>> datasets;
};

/// Reads the attributes and shapes of a shard, its tables or an index, but no data. Returns nothing
/// if the file is another kind of HDF5 file. InputError for a file that is damaged or not HDF5;
/// SystemError if it cannot be opened. For a run's folder, see read_manifest.
std::optional<ShardDescription> describe_shard(const std::filesystem::path& path);

}  // namespace elmo
