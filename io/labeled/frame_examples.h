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
// For predicates to be labeled, tags and columns of arguments may be missing. A record without
// "frames" is a sentence whose predicates are to be found.
//
// Files are UTF-8; those that begin like gzip, zstd, xz or bzip2 are decompressed. Invalid UTF-8 is
// read as U+FFFD.
//
// Formats predicted frames as text.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/inference/sentence.h"
#include "core/tasks/common/labels.h"
#include "io/labeled/example_source.h"
#include "io/text/bytes/byte_stream.h"

namespace elmo {

/// Opens the file and inspects its beginning. A group is a sentence with one record for
/// RoleLabeler, or none if it has no token. Memory is bounded: a record or a sentence of more than
/// kMaxSentenceBytes or kDefaultMaxSentenceTokens and a label of more than 1024 bytes are
/// malformed. InputError if there is no such file. next() throws InputError, naming file and line,
/// for violations of the format (tags that are not BIO or not one per token, a predicate that is
/// not a token) and, if labels are read, at the end of a file without any frame. `labels` numbers
/// the tags and receives new ones; it must outlive the source.
std::unique_ptr<ExampleSource> open_srl_examples(const ExampleInput& input, LabelSet& labels);

/// The same for `bytes`, which are not decompressed. `input.file` is their name in errors.
std::unique_ptr<ExampleSource> open_srl_examples(const ExampleInput& input,
                                                 std::unique_ptr<ByteSource> bytes,
                                                 LabelSet& labels);

/// - jsonl: {"tokens": […], "frames": [{"predicate", "tags"}]} for each sentence, with a frame for
///   each predicate that was given or found, in that order.
/// - columns: the prediction format of the CoNLL-2005 shared task, which srl-eval.pl reads. One
///   token per line: the token if it is a predicate, else "-"; then a column of bracketed arguments
///   for each predicate, from first to last. A blank line follows each sentence. InputError for two
///   frames of one predicate, which columns cannot represent.
///
/// RequestError for other formats. `labels`: the model's.
std::unique_ptr<PredictionWriter> srl_writer(PredictionFormat format,
                                             std::vector<std::string> labels);

}  // namespace elmo
