// Coreference documents as examples, with or without known clusters.
//
// - jsonl, detected by its first byte: one document per line, {"document"?, "genre"?, "speakers"?,
//   "sentences": [[token, …], …], "clusters": [[[begin, end], …], …]}, with offsets in tokens of
//   the document, end exclusive. Other fields may hold anything. "speakers" has a string or null
//   for each sentence, or a list with one for each token; then the first one counts. A record with
//   "doc_key" is in the format of e2e-coref (Lee et al. 2017), whose ends are inclusive. Blank
//   lines are skipped.
// - jsonl of GAP: records {"id"?, "text", "pronoun", "pronoun_start", "a", "a_start", "a_coref",
//   "b", …}, with offsets in code points of the text, which is segmented. All records of a file
//   have the type of the first.
// - GAP's table, detected by its header line: ID, Text, Pronoun, Pronoun-offset, A, A-offset,
//   A-coref, B, B-offset, B-coref and more columns, separated by TABs. Otherwise like GAP's
//   records.
// - columns: see coref_columns.h.
//
// If labels are ignored, so are clusters and pronouns.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/inference/sentence.h"
#include "io/labeled/example_file.h"

namespace elmo {

/// Makes the reader of documents. Each is a group with one example for CorefModel. Labels number
/// the genres. Clusters of one mention are part of the examples; scores leave them out. next()
/// throws InputError for violations of the format (a span outside of the text, a duplicate span,
/// wrong types).
std::unique_ptr<ExampleReader> make_coref_reader(OpenedFile& file);

/// True for the first line of GAP's table as distributed.
bool is_gap_header(std::string_view line);

/// Each document's sentences as an example, without genre and speakers. `sentences` must outlive
/// the source.
std::unique_ptr<ExampleSource> coref_examples_of_text(SentenceSource& sentences);

/// See LabeledKind::scored: the pronoun, with its gender and names, if the record has one.
std::string scored_pronoun(const TaskRecord& record);

}  // namespace elmo
