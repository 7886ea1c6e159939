// Texts whose labels are spans of characters, as programs for annotation export them.
//
// - doccano: {"text": "…", "label": [[begin, end, "PER"], …]}. The list may also be called "labels"
//   or "entities", and hold objects with "start_offset", "end_offset" and "label".
// - Prodigy: {"text": "…", "spans": [{"start": …, "end": …, "label": "PER"}, …], "answer": …}.
//   Records that were rejected or ignored are no examples.
// - Label Studio: {"data": {"text": "…"}, "annotations": [{"result": [{"type": "labels", "value":
//   {"start": …, "end": …, "text": "…", "labels": ["PER"]}}, …]}, …]}, of which the first
//   annotation that was not canceled counts; or, in its short form, {"text": "…", "label":
//   [{"start": …, "end": …, "labels": ["PER"]}, …]}. Results of the type "hypertextlabels" and the
//   like are spans, too, whose value may have {"globalOffsets": {"start": …, "end": …}}. Results
//   without labels, such as choices and relations, are counted.
//
// Positions are in code points of the text, and ends are exclusive. A tokenizer makes sentences and
// tokens of the text.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/inference/sentence.h"
#include "io/labeled/example_file.h"

namespace elmo {

/// Byte offset of each code point of a valid text, and of its end.
std::vector<std::uint32_t> code_point_begins(std::string_view text);

/// The sentences of a record's text, valid or not, as the tokenizer makes them. All of them are in
/// line `line`, and their spans refer to the text.
std::vector<Sentence> sentences_of(std::string_view text, std::uint64_t line,
                                   const std::shared_ptr<const Document>& document,
                                   ReadingContext& context);

/// Counts of spans that do not fit the tokens, and of annotations that are not read.
struct SpanCounters {
  std::uint64_t widened = 0;   ///< spans that begin or end inside a token and take it in
  std::uint64_t divided = 0;   ///< spans of several sentences, each of which has its part
  std::uint64_t repeated = 0;  ///< texts with several annotations, of which the first one is read
  std::map<std::string, std::uint64_t> results;  ///< results that are no spans, by type

  /// A note to the user: "labels are read as spans of characters, 1 span widened to whole words".
  std::string note() const;
};

/// True for the "answer" of a record that Prodigy's annotators rejected or ignored.
bool is_rejected(std::string_view answer);

/// A sentence and its labels in IOB2.
struct SpannedSentence {
  Sentence sentence;
  std::vector<std::string> labels{};
};

/// Reads one such record, valid UTF-8, in line `line`: at least one sentence, with labels if the
/// file is labeled; none if the record is no example. InputError, without the line, for another
/// form, for a span outside of the text, without a token or with another text than it claims, and
/// for spans that overlap.
std::vector<SpannedSentence> read_spanned_text(OpenedFile& file, std::string_view json,
                                               std::uint64_t line, SpanCounters& counters);

}  // namespace elmo
