// Sentences with a label for each token, in files of common formats.
//
// - columns (CoNLL): one token per line, a blank line after each sentence. Columns are separated by
//   TABs, or by spaces in a line without any TAB. The first is the token, the last the label, and
//   all lines of a file have the same number of columns: two, or more as in CoNLL-2003. Lines
//   `-DOCSTART-` are skipped. Each file is a document, and spans refer to it.
// - conllu: see text_source.h, labeled by one of the columns of CoNLL-U or CoNLL-U Plus. A sentence
//   without words remains as an empty sentence.
// - jsonl: one record per line, {"tokens": […], "labels": […]}; blank lines are skipped. Each
//   record is a document, named by its field "id" or else its line; spans refer to its tokens
//   joined by spaces. A record with a text instead of tokens has spans of characters as labels, see
//   text_spans.h; its sentences are a group, and spans of tokens refer to the text.
//
// If labels are ignored, columns may be tokens alone, records need no "labels", and a file may have
// no token.
//
// Predictions:
// - columns: one line per token, with a TAB between token and label, then a blank line;
// - conllu: ten columns, then a blank line;
// - jsonl: {"document", "sentence", "line", "tokens", "spans", "labels", "scores"}, with each
//   label's probability in "scores". Labels of a span scheme add "entities": [{"type", "begin",
//   "end", "span", "score"}], with tokens begin … end − 1, their bytes, and the minimum
//   probability of their labels.
#pragma once

#include <string>
#include <vector>

#include "io/tasks/labeled_kind.h"

namespace elmo {

/// The kind `tag`. A sentence has one record (LabelGold), or none if it has no token. Memory is
/// bounded: a sentence of columns or a record of more than kMaxSentenceBytes, and a label of more
/// than kMaxLabelBytes, are malformed. So are a label without a token, another number of columns
/// than before, and different numbers of tokens and labels. RequestError if CoNLL-U has no such
/// column.
LabeledKind labeled_tags();

/// The names of CoNLL-U's columns that may be labels, such as "xpos", in file order.
std::vector<std::string> conllu_label_columns();

/// The form of a file of JSON records by the first one: with a text in `text_field` jsonl,
/// otherwise token_records for {"tokens": […]} and data_records for {"data": {…}}. jsonl if the
/// file can be read only once or the record is malformed. Errors: as open_file.
TextForm form_of_records(const std::string& file, const std::string& text_field);

}  // namespace elmo
