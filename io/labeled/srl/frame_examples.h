// Examples of semantic role labeling: sentences with the frames of their predicates.
//
// - jsonl: a record a line, {"tokens": […], "frames": [{"predicate": token, "tags": [BIO]}]}, told
//   by its first byte; other members may hold anything. A document is a record, named by its field
//   "id" or else its line; spans point into its tokens joined by spaces.
// - columns: CoNLL-2012. The word is column 4, a predicate is what has a frameset in column 8, and
//   its arguments are in brackets, a column for each predicate from column 12 on; the last column
//   is coreference. Or CoNLL-2005, where the first row is not of CoNLL-2012: the word first, then
//   any columns, the predicate or "-", and arguments as above. Without a column of predicates they
//   are where (V*) is. A document is a file, and spans point into it.
//
// Where predicates are to be labeled, tags and columns of arguments may be missing; a record
// without "frames" is a sentence whose predicates are to be found.
//
// Files are UTF-8, decompressed where they begin like gzip, zstd, xz or bzip2. What is invalid is
// read as U+FFFD.
#pragma once

#include <memory>

#include "core/inference/source.h"
#include "core/tasks/common/label_set.h"
#include "io/labeled/common/example_input.h"
#include "io/labeled/common/example_source.h"
#include "io/text/bytes/byte_source.h"

namespace elmo {

/// Opens the file and looks at its beginning. A group is a sentence, with one record as RoleLabeler
/// has it, or none where it has no token. Memory is bounded: a record or a sentence of more than
/// kMaxSentenceBytes or kDefaultMaxSentenceTokens and a label of more than 1024 bytes are
/// malformed. InputError if there is no such file. next() throws InputError, naming file and line,
/// for what the format does not allow (tags that are not BIO or not one for each token, a predicate
/// that is no token), and, where labels are read, at the end of a file that has no frame at all.
/// `labels` numbers the tags, gets those that are new, and has to outlive the source.
std::unique_ptr<ExampleSource> open_srl_examples(const ExampleInput& input, LabelSet& labels);

/// The same over bytes that are already at hand, not decompressed; `input.file` names them.
std::unique_ptr<ExampleSource> open_srl_examples(const ExampleInput& input,
                                                 std::unique_ptr<ByteSource> bytes,
                                                 LabelSet& labels);

}  // namespace elmo
