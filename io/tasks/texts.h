// Labeled texts and pairs of texts, in files of common formats.
//
// - columns: lines `label TAB text`; for pairs `label TAB text TAB text`. Or a table whose first
//   line names the columns, see table_columns(). Spans refer to the file, and for CSV to its lines
//   as lines_of_csv() makes them.
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
//
// Predictions:
// - columns: the label and the tokens of each text, joined by spaces, with TABs between;
// - jsonl: {"document", "sentence", "line", "tokens", "spans", "label", "score"}, with the
//   label's probability in "score"; for a pair, "tokens1", "spans1", "tokens2", "spans2".
// If a text has no token, the line is blank, or "label" and "score" are null.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/tasks/kinds.h"

namespace elmo {

/// The columns of a table with texts and labels, counted from 0.
struct TableColumns {
  std::vector<std::string> names;    ///< of all columns, in lower case
  std::optional<std::size_t> label;  ///< nothing if labels are ignored and there are none
  std::vector<std::size_t> texts;

  /// The names of the columns that are read: "label, sentence".
  std::string read_names() const;
};

/// Finds the columns of `texts` texts and, if the file is `labeled`, of a label in `line`, the
/// first line of a file, which has names of columns separated by TABs. Returns nothing if it does
/// not name these columns and `given` has no names. If `given` has names: InputError, without the
/// line number, if a column is missing; RequestError if it names another number of texts.
std::optional<TableColumns> table_columns(std::string_view line, std::size_t texts, bool labeled,
                                          const TableNames& given);

/// Makes gold data of a record's label, valid UTF-8 that is not empty. InputError, without the
/// line, for a label that the kind does not know. `labels`: see OpenedFile.
using GoldOfLabel = std::shared_ptr<const TaskGold> (*)(const std::string& label, LabelSet& labels);

/// The label is a name (LabelGold).
std::shared_ptr<const TaskGold> gold_of_name(const std::string& label, LabelSet& labels);

/// Makes the reader of texts (`texts` is 1) or of pairs of texts (2), for a kind with such gold
/// data. A group is a record of the file, with one example if all its texts have tokens. Memory is
/// bounded: a record of more than kMaxSentenceBytes, a text of more than kDefaultMaxSentenceTokens
/// and a label of more than kMaxLabelBytes are malformed. next() throws InputError for violations
/// of the format, such as a labeled text without any token. The function reads the first line of
/// columns. It throws InputError, without the file, if it lacks a given column, and RequestError if
/// names of columns are given for jsonl or for another number of texts.
std::unique_ptr<ExampleReader> make_text_reader(OpenedFile& file, std::size_t texts,
                                                GoldOfLabel gold_of = gold_of_name);

}  // namespace elmo
