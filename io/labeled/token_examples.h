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
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/labeled/example_file.h"

namespace elmo {

/// First column of a line that begins a document and is not a token.
inline constexpr std::string_view kDocumentStart = "-DOCSTART-";

/// The names of CoNLL-U's columns that may be labels, such as "xpos", in file order.
std::vector<std::string> conllu_label_columns();

/// Makes the reader of sentences with labeled tokens. A sentence has one record, or none if it has
/// no token. Memory is bounded: a sentence of columns or a record of more than
/// kMaxSentenceBytes, and a label of more than kMaxLabelBytes, are malformed. next() throws
/// RequestError if CoNLL-U has no such column, and InputError for violations of the format (a label
/// without a token, a different number of columns than before, different numbers of tokens and
/// labels).
std::unique_ptr<ExampleReader> make_token_reader(OpenedFile& file);

/// The form of a file of JSON records by the first one: with a text in `text_field` jsonl,
/// otherwise token_records for {"tokens": […]} and data_records for {"data": {…}}. jsonl if the
/// file can be read only once or the record is malformed. Errors: as open_file.
TextForm form_of_records(const std::string& file, const std::string& text_field);

}  // namespace elmo
