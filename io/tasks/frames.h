// Semantic role labeling: sentences with the frames of their predicates.
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
//
// Predictions:
// - jsonl: {"tokens": […], "frames": [{"predicate", "tags"}]} for each sentence, with a frame for
//   each predicate that was given or found, in that order.
// - columns: the prediction format of the CoNLL-2005 shared task, which srl-eval.pl reads. One
//   token per line: the token if it is a predicate, else "-"; then a column of bracketed arguments
//   for each predicate, from first to last. A blank line follows each sentence. InputError for two
//   frames of one predicate, which columns cannot represent.
#pragma once

#include "io/tasks/labeled_kind.h"

namespace elmo {

/// The kind `srl`. A group is a sentence with one record (FrameGold), or none if it has no token.
/// Memory is bounded: a record or a sentence of more than kMaxSentenceBytes or
/// kDefaultMaxSentenceTokens and a label of more than kMaxLabelBytes are malformed. So are tags
/// that are not BIO or not one per token, and a predicate that is not a token.
LabeledKind labeled_frames();

}  // namespace elmo
