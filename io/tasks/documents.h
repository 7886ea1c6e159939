// Documents with clusters of mentions that refer to the same thing.
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
// - columns of CoNLL-2011 and CoNLL-2012: one token per line, in columns separated by white space:
//   document, part, number of the word, word, …, clusters. A blank line follows each sentence. The
//   last column has `(12` where a mention of cluster 12 begins, `12)` where it ends, `(12)` for
//   both, several joined by `|`, or `-`. With at least 12 columns, the tenth is the speaker, `-`
//   for none; the speaker of a sentence's first token counts for the sentence. `#begin document
//   (NAME); part N` begins a document, NAME_N, and `#end document` ends it. Other lines that begin
//   with # are skipped. The part of a name before the first / is the genre.
//
// If labels are ignored, so are clusters and pronouns.
//
// Predictions:
// - jsonl: {"document", "clusters": [[[begin, end], …], …]} for each document, in tokens of the
//   document or, if the text was segmented (CorefGold::in_bytes), in bytes; end exclusive.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/tasks/coref/coref_scores.h"
#include "io/labeled/example_file.h"

namespace elmo {

/// A document as read from a file.
struct CorefDocument {
  std::vector<Sentence> sentences;    ///< may have no tokens
  std::string genre;                  ///< empty: unknown
  std::vector<std::string> speakers;  ///< [sentences], empty string: unknown; or no elements at all
  CorefGold gold;                     ///< without the genre and the speakers
};

/// The document as a group with one example, or none if it has no token. `labels` numbers the
/// genres.
ExampleGroup coref_group(CorefDocument document, LabelSet& labels);

/// Makes the reader of columns; see above.
std::unique_ptr<ExampleReader> make_document_columns(OpenedFile& file);

}  // namespace elmo
