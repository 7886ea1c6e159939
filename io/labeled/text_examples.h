// Labeled texts and pairs of texts, in files of common formats.
//
// - columns: lines `label TAB text`; for pairs `label TAB text TAB text`. Or a table whose first
//   line names the columns, see text_table.h. Spans refer to the file, and for CSV to its lines as
//   line_conversion.h makes them.
// - jsonl: one record per line, {"text", "label"} or {"tokens", "label"}; for pairs {"text1",
//   "text2", "label"}, {"tokens1", "tokens2", "label"}, {"premise", "hypothesis", "label"}, or
//   SNLI's and MultiNLI's {"sentence1", "sentence2", "gold_label"}. A label is a string, a number
//   or a list of one of them. Records that Prodigy's "answer" does not accept are no examples. A
//   list of tokens is used as it is. Each record is a document, named by its field "id" or else its
//   line; spans refer to its text, or to its tokens joined by spaces. Pairs that their annotators
//   did not agree on have "gold_label" "-" or the number -1 as "label" (as exported by Hugging
//   Face). They are skipped and counted, as in all work on these corpora.
//
// Texts to be labeled may have a label, which is ignored, or none: one text per line, for pairs
// `text TAB text`, or records without a label.
//
// Blank lines are skipped. ExampleInput::tokenizer splits texts into tokens. Each text is treated
// as one sentence, even if it has several: task models and the biLM read it as one sequence, as in
// published models with ELMo. Its tokens are the same as if it were a line of text.
#pragma once

#include <memory>

#include "io/labeled/example_file.h"

namespace elmo {

/// Make the readers of texts and of pairs of texts. A group is a record of the file, with one
/// example if all its texts have tokens. Memory is bounded: a record of more than
/// kMaxSentenceBytes, a text of more than kDefaultMaxSentenceTokens and a label of more than
/// kMaxLabelBytes are malformed. next() throws InputError for violations of the format, such as a
/// labeled text without any token. The functions read the first line of columns. They throw
/// InputError, without the file, if it lacks a given column, and RequestError if names of columns
/// are given for jsonl or for another number of texts.
std::unique_ptr<ExampleReader> make_text_reader(OpenedFile& file);
std::unique_ptr<ExampleReader> make_pair_reader(OpenedFile& file);

}  // namespace elmo
