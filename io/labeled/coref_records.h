// Coreference documents as JSON Lines, and GAP's pronouns as JSON Lines or as GAP's table.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/inference/sentence.h"
#include "core/tasks/coref/clusters.h"
#include "io/json/json_document.h"
#include "io/text/bytes/byte_stream.h"
#include "io/text/formats/format_reader.h"

namespace elmo {

struct CorefDocument {
  std::vector<Sentence> sentences;    ///< may have no tokens
  std::string genre;                  ///< empty: unknown
  std::vector<std::string> speakers;  ///< [sentences], empty string: unknown; or no elements at all
  std::vector<MentionCluster> clusters;   ///< in tokens of the document
  std::shared_ptr<const CorefGold> gold;  ///< see TaskRecord::gold
};

/// Reads the documents of one file. One thread at a time.
class CorefReader {
 public:
  virtual ~CorefReader() = default;

  /// Replaces `document` by the next one. Returns false at the end. InputError, naming the line but
  /// not the file, for violations of the format.
  virtual bool next(CorefDocument& document) = 0;
};

/// One document per line: {"document"?, "genre"?, "speakers"?, "sentences": [[token, …], …],
/// "clusters": [[[begin, end], …], …]}, with offsets in tokens of the document, end exclusive.
/// Other fields may hold anything. "speakers" has a string or null for each sentence. Or GAP's
/// records: {"id"?, "text", "pronoun", "pronoun_start", "a", "a_start", "a_coref", "b", …}, with
/// offsets in code points of the text, which is segmented. All records have the type of the first.
/// Blank lines are skipped.
class CorefRecords final : public CorefReader {
 public:
  /// `window` and `context` must outlive this object. If not `labeled`, clusters and pronouns are
  /// ignored.
  CorefRecords(ByteWindow& window, ReadingContext& context, bool labeled)
      : context_(context), labeled_(labeled), lines_(window) {}

  bool next(CorefDocument& document) override;

 private:
  void read(const JsonDocument& json, CorefDocument& document);
  void read_sentences(const JsonDocument& json, CorefDocument& document);
  void read_clusters(const JsonDocument& json, std::int64_t tokens, CorefDocument& document) const;
  void read_pronoun(const JsonDocument& json, CorefDocument& document);
  std::shared_ptr<const Document> begin_document(const JsonNode& id);

  ReadingContext& context_;
  bool labeled_;
  RecordLines lines_;
  RepairedText line_;
  std::optional<bool> pronouns_;  // true if records are GAP's
};

/// True for the first line of GAP's table as distributed.
bool is_gap_header(std::string_view line);

/// True if the window begins with GAP's header. Reads no further than necessary.
bool begins_with_gap_header(ByteWindow& window);

/// GAP's table: a header line, then ID, Text, Pronoun, Pronoun-offset, A, A-offset, A-coref, B,
/// B-offset, B-coref and more columns, separated by TABs. Otherwise like GAP's records.
class GapTable final : public CorefReader {
 public:
  /// See CorefRecords.
  GapTable(ByteWindow& window, ReadingContext& context, bool labeled)
      : context_(context), labeled_(labeled), lines_(window) {}

  bool next(CorefDocument& document) override;

 private:
  void read(CorefDocument& document);

  ReadingContext& context_;
  bool labeled_;
  RecordLines lines_;
  RepairedText field_;
};

}  // namespace elmo
