// One shard while it is being written.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/inference/sink.h"
#include "io/dtype.h"
#include "io/files/checksum.h"
#include "io/fingerprint.h"
#include "io/h5/column.h"
#include "io/h5/writer.h"
#include "io/shard/manifest/input_hash.h"
#include "io/shard/manifest/manifest.h"
#include "io/text/source/input_part.h"

namespace elmo {

/// What all shards of a run have in common.
struct ShardFormat {
  ActivationLayout layout;
  Dtype dtype = Dtype::float32;
  h5::Compression compression = h5::Compression::none;
  bool boundaries = false;          ///< first and last token of a sentence are `<S>` and `</S>`
  bool selected = false;            ///< sentences tell which of their tokens are kept
  bool pooled = false;              ///< batches have pooled rows
  std::optional<InputPart> part{};  ///< which the run is
  bool numbered_documents = false;  ///< shards tell which documents have their line for an id
  /// How the run was made, for its readers: the text of a JSON object that the manifest keeps as it
  /// is and nothing here looks at; empty: none, as in runs of version 0.6.
  std::string options{};
};

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

  /// What a row of /sentences tells.
  struct Entry {
    const Document& document;
    std::uint64_t number;
    std::uint64_t line;
    std::uint64_t rows;  ///< of /activations
  };

  CheckedColumn& add_column(const char* path);
  CheckedColumn* add_column_if(bool wanted, const char* path);
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
  std::deque<std::pair<std::string, CheckedColumn>> columns_;  ///< a deque: the references last
  CheckedColumn& activations_;
  CheckedColumn* scales_;  ///< of int8, else null
  CheckedColumn& tokens_;
  CheckedColumn& spans_;
  CheckedColumn& sentence_;
  CheckedColumn& offsets_;
  CheckedColumn& sentence_document_;
  CheckedColumn& sentence_line_;
  CheckedColumn& document_number_;
  CheckedColumn& document_id_;
  CheckedColumn* position_;  ///< null where the run has none, as are the next four
  CheckedColumn* sentence_text_;
  CheckedColumn* pooled_tokens_;
  CheckedColumn* sentence_number_;
  CheckedColumn* document_numbered_;
  std::uint64_t next_sentence_;  ///< number of the one past the last that was read
  std::optional<std::uint32_t> last_document_;
  std::vector<std::uint64_t> numbers_;  ///< sentence numbers of a sentence's tokens
};

}  // namespace elmo
