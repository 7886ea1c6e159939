// Coreference documents as examples, with or without known clusters, and predicted clusters as JSON
// Lines.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/inference/sentence.h"
#include "core/tasks/common/labels.h"
#include "io/labeled/example_source.h"
#include "io/text/bytes/byte_stream.h"

namespace elmo {

/// Opens a file of documents. Each is a group with one example for CorefModel. Files whose first
/// byte other than white space is `{`, or that begin with GAP's header, have the formats of
/// coref_records.h; all others, of coref_columns.h. `labels` numbers the genres. Clusters of one
/// mention are part of the examples; scores leave them out. InputError if there is no such file.
/// next() throws InputError, naming file and line, for violations of the format (a span outside of
/// the text, a duplicate span, wrong types), and at the end of a labeled file without any document,
/// or without any cluster or pronoun.
std::unique_ptr<ExampleSource> open_coref_examples(const ExampleInput& input, LabelSet& labels);

/// The same for `bytes`, which are not decompressed. `input.file` is their name in errors.
std::unique_ptr<ExampleSource> open_coref_examples(const ExampleInput& input, LabelSet& labels,
                                                   std::unique_ptr<ByteSource> bytes);

/// Each document's sentences as an example, without genre and speakers. `sentences` must outlive
/// the source.
std::unique_ptr<ExampleSource> coref_examples_of_text(SentenceSource& sentences);

/// {"document", "clusters": [[[begin, end], …], …]} for each document, in tokens of the document
/// or, if the text was segmented (CorefGold::in_bytes), in bytes; end exclusive. RequestError for
/// formats other than jsonl.
std::unique_ptr<PredictionWriter> coref_writer(PredictionFormat format);

}  // namespace elmo
