// Documents with clusters of mentions, and those in the columns of CoNLL-2011 and CoNLL-2012.
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

/// Makes the reader of columns; see documents.h.
std::unique_ptr<ExampleReader> make_document_columns(OpenedFile& file);

}  // namespace elmo
