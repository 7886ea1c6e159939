// One shard while it is being written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/inference/sink.h"
#include "io/dtype.h"
#include "io/files/checksum.h"
#include "io/fingerprint.h"
#include "io/h5/column.h"
#include "io/h5/writer.h"
#include "io/shard/format/columns.h"
#include "io/shard/manifest/input_hash.h"
#include "io/shard/manifest/manifest.h"

namespace elmo {

/// Writes one shard in bounded memory: a chunk of each dataset. Abandons the file where close() is
/// not reached. Errors: SystemError. One thread at a time.
class ShardFile {
 public:
  /// `input` is the hash of the sentences before `first_sentence`.
  ShardFile(const std::filesystem::path& path, const ShardFormat& format,
            const RunFingerprint& fingerprint, std::uint64_t first_sentence, InputHash input);

  /// Sentences have to come in order and, unless the run is a selected one, without gaps
  /// (std::logic_error).
  void write(const ActivationBatch& batch);

  std::uint64_t sentences() const { return entry_.sentences; }
  const InputHash& input() const { return input_; }

  /// Completes the file and closes it. Name, size and checksum of the file are for the caller to
  /// fill in.
  ShardEntry close(const SegmentEnd& end);

 private:
  /// A dataset and the checksum of its values.
  struct CheckedColumn {
    h5::Column column;
    Checksum checksum;

    void append(std::span<const std::byte> rows);
    void append_string(std::string_view string);
  };

  /// What a row of /sentences holds.
  struct Entry {
    const Document& document;
    std::uint64_t number;
    std::uint64_t line;
    std::uint64_t rows;  ///< of /activations
  };

  void add_column(const ShardColumn& column);
  bool has(ColumnId id) const { return columns_[static_cast<std::size_t>(id)].has_value(); }
  /// One that the shard has.
  CheckedColumn& of(ColumnId id) { return *columns_[static_cast<std::size_t>(id)]; }
  void read_sentence(const Sentence& sentence, std::uint64_t number);
  void write_sentence(const Sentence& sentence, std::uint64_t number);
  void write_row(const PooledRow& row);
  void write_entry(const Entry& entry);
  void write_values(std::span<const float> values);

  ShardFormat format_;
  InputHash input_;
  ShardEntry entry_;
  Encoder encoder_;
  h5::Writer writer_;
  std::array<std::optional<CheckedColumn>, kShardColumns.size()> columns_;  ///< by ColumnId
  std::uint64_t next_sentence_;  ///< number of the one past the last that was read
  std::optional<std::uint32_t> last_document_;
  std::vector<std::uint64_t> numbers_;  ///< sentence numbers of a sentence's tokens
};

}  // namespace elmo
