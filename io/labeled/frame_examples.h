// Semantic role labeling examples: sentences with the frames of their predicates.
//
// - jsonl: one record per line, {"tokens": […], "frames": [{"predicate": token, "tags": [BIO]}]},
//   detected by its first byte. Other members may hold anything. Each record is a document, named
//   by its field "id" or else its line. Spans refer to its tokens joined by spaces.
// - columns: CoNLL-2012 or CoNLL-2005. In CoNLL-2012, the word is column 4, a token with a frameset
//   in column 8 is a predicate, and its arguments are in brackets, one column per predicate from
//   column 12 on; the last column is coreference. If the first row is not CoNLL-2012, the format is
//   CoNLL-2005: the word first, then any columns, the predicate or "-", and arguments as above.
//   Without a column of predicates, the predicates are at (V*). Each file is a document, and spans
//   refer to it.
//
// If labels are ignored, tags and argument columns may be missing. A record without "frames" is a
// sentence whose predicates the model must find.
#pragma once

#include <memory>

#include "io/labeled/example_file.h"

namespace elmo {

/// Makes the reader of sentences with frames. A group is a sentence with one record for
/// RoleLabeler, or none if it has no token. Memory is bounded: a record or a sentence of more than
/// kMaxSentenceBytes or kDefaultMaxSentenceTokens and a label of more than kMaxLabelBytes are
/// malformed. next() throws InputError for violations of the format (tags that are not BIO or not
/// one per token, a predicate that is not a token).
std::unique_ptr<ExampleReader> make_frame_reader(OpenedFile& file);

}  // namespace elmo
