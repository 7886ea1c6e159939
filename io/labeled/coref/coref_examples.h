// Documents whose mentions of the same thing are known, or to be found.
#pragma once

#include <memory>

#include "core/inference/source.h"
#include "core/tasks/common/label_set.h"
#include "io/labeled/common/example_input.h"
#include "io/labeled/common/example_source.h"
#include "io/text/bytes/byte_source.h"

namespace elmo {

/// Opens a file of documents, each a group with one example as CorefModel has it, which
/// coref_records.h describes where the first byte that is no white space is `{` or the file begins
/// with GAP's header, and coref_columns.h all else. `labels` numbers the genres. Mentions of a
/// cluster by itself are examples' too; scores leave them out. InputError if there is no such file.
/// next() throws InputError, naming file and line, for what the format does not allow: a span
/// outside of the text, one that is there twice, wrong types; and at the end of a labeled file
/// without any document, or without any cluster or pronoun.
std::unique_ptr<ExampleSource> open_coref_examples(const ExampleInput& input, LabelSet& labels);

/// The same over bytes that are already at hand, not decompressed; `input.file` names them.
std::unique_ptr<ExampleSource> open_coref_examples(const ExampleInput& input, LabelSet& labels,
                                                   std::unique_ptr<ByteSource> bytes);

/// The sentences of each document as an example, without genre and speakers. `sentences` has to
/// outlive it.
std::unique_ptr<ExampleSource> coref_examples_of_text(SentenceSource& sentences);

}  // namespace elmo
