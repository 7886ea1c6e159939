// Documents of coreference as JSON Lines, and GAP's pronouns as records or as their table.
#pragma once

#include <optional>
#include <string_view>

#include "io/json/json_document.h"
#include "io/labeled/coref/coref_document.h"
#include "io/text/bytes/byte_window.h"
#include "io/text/formats/reading_context.h"
#include "io/text/formats/record_lines.h"

namespace elmo {

/// {"document"?, "genre"?, "speakers"?, "sentences": [[token, …], …], "clusters": [[[begin, end],
/// …], …]} a line, offsets in tokens of the document, end exclusive; other fields may hold
/// anything. "speakers" has a string or null for each sentence. Or GAP's records, {"id"?, "text",
/// "pronoun", "pronoun_start", "a", "a_start", "a_coref", "b", …}, offsets in code points of the
/// text, which is segmented. What the first record is, all are. Blank lines are passed over.
class CorefRecords final : public CorefReader {
 public:
  /// `window` and `context` outlive this. Else than `labeled`, clusters and pronouns are not
  /// looked at.
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
  std::optional<bool> pronouns_;  // whether records are GAP's
};

/// Whether a line is the first one of GAP's table as it is distributed.
bool is_gap_header(std::string_view line);

/// Whether the window begins with it; reads no further than it takes to tell.
bool begins_with_gap_header(ByteWindow& window);

/// GAP's table: ID, Text, Pronoun, Pronoun-offset, A, A-offset, A-coref, B, B-offset, B-coref and
/// more columns, separated by TABs, behind a line of their names; otherwise as its records.
class GapTable final : public CorefReader {
 public:
  /// As CorefRecords.
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
