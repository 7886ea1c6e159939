// Coreference documents as groups of examples, and documents in the columns of CoNLL-2011 and
// CoNLL-2012.
#pragma once

#include <memory>
#include <optional>
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
  std::vector<MentionCluster> clusters;  ///< positions are tokens of the document
  std::optional<CorefGold> gold;         ///< nothing if the document came with tokens
};

/// The document as a group with one example for CorefModel, or none if it has no token. `labels`
/// numbers the genres.
ExampleGroup coref_group(CorefDocument document, LabelSet& labels);

/// Makes the reader of columns: one token per line, in columns separated by white space: document,
/// part, number of the word, word, …, clusters. A blank line follows each sentence. The last column
/// has `(12` where a mention of cluster 12 begins, `12)` where it ends, `(12)` for both, several
/// joined by `|`, or `-`. With at least 12 columns, the tenth is the speaker, `-` for none; the
/// speaker of a sentence's first token counts for the sentence. `#begin document (NAME); part N`
/// begins a document, NAME_N, and `#end document` ends it. Other lines that begin with # are
/// skipped. The part of a name before the first / is the genre.
std::unique_ptr<ExampleReader> make_coref_columns(OpenedFile& file);

}  // namespace elmo
