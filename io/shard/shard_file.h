// Writes one shard: its file and its tables.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/inference/activations.h"
#include "io/dtype.h"
#include "io/files/checksum.h"
#include "io/h5/writer.h"
#include "io/provenance.h"
#include "io/shard/format.h"
#include "io/shard/manifest.h"
#include "io/text/input/resume_position.h"

namespace elmo {

/// Writes one shard in bounded memory: one chunk of each dataset. Abandons both files unless
/// close() is called. Errors: SystemError. One thread at a time.
class ShardFile {
 public:
  /// Writes to `path` and `tables`. `input` is the hash of the sentences before `first_sentence`.
  ShardFile(const std::filesystem::path& path, const std::filesystem::path& tables,
            const ShardFormat& format, const Provenance& provenance, std::uint64_t first_sentence,
            InputHash input);

  /// Sentences must be in order and, unless the run is a selected one, without gaps
  /// (std::logic_error).
  void write(const ActivationBatch& batch);

  const InputHash& input() const { return input_; }

  /// Completes and closes both files. The caller fills in their names, sizes and checksums.
  ShardEntry close(const SegmentEnd& end);

 private:
  /// A dataset and the checksum of its values.
  struct CheckedColumn {
    h5::Column column;
    Checksum checksum;

    void append(std::span<const std::byte> rows);
    void append_string(std::string_view string);
  };

  /// The values of a row of /sentences.
  struct Entry {
    const Document& document;
    std::uint64_t number;
    std::uint64_t line;
    std::uint64_t rows;  ///< rows of /activations
  };

  void add_column(const ShardColumn& column);
  bool has(ColumnId id) const { return columns_[static_cast<std::size_t>(id)].has_value(); }
  /// Returns a column that the shard must have.
  CheckedColumn& of(ColumnId id) { return *columns_[static_cast<std::size_t>(id)]; }
  void write_sentence(const Sentence& sentence, std::uint64_t number);
  void write_row(const PooledRow& row);
  void write_entry(const Entry& entry);
  void write_values(std::span<const float> values);

  ShardFormat format_;
  InputHash input_;
  ShardEntry entry_;
  Encoder encoder_;
  h5::Writer writer_;
  h5::Writer tables_;
  std::array<std::optional<CheckedColumn>, kShardColumns.size()> columns_;  ///< indexed by ColumnId
  std::uint64_t next_sentence_;  ///< number after the last sentence read
  std::optional<std::uint32_t> last_document_;
  // The numbers of a sentence and its document, once per token.
  std::vector<std::uint64_t> numbers_;
  std::vector<std::uint32_t> documents_;
};

}  // namespace elmo
