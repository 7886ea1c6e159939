// Labeled sentences, in files of common formats.
//
// - columns (CoNLL): one token per line, a blank line after each sentence. Columns are separated by
//   TABs, or by spaces in a line without any TAB. The first is the token, the last the label, and
//   all lines of a file have the same number of columns: two, or more as in CoNLL-2003. Lines
//   `-DOCSTART-` are skipped. Each file is a document, and spans refer to it.
// - conllu: see text_source.h, labeled by one of the columns of CoNLL-U or CoNLL-U Plus. A sentence
//   without words remains as an empty sentence.
// - jsonl: one record per line, {"tokens": […], "labels": […]}; blank lines are skipped. Each
//   record is a document, named by its field "id" or else its line; spans refer to its tokens
//   joined by spaces.
//
// Files are UTF-8; those that begin like gzip, zstd, xz or bzip2 are decompressed. Invalid UTF-8 is
// read as U+FFFD.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/enum_table.h"
#include "core/tasks/common/labeled_sentence.h"
#include "io/labeled/common/labeled_file.h"
#include "io/text/bytes/byte_source.h"

namespace elmo {

enum class LabeledFormat { columns, conllu, jsonl };

inline constexpr auto kLabeledFormats =
    enum_table<LabeledFormat>({{"columns", LabeledFormat::columns},
                               {"conllu", LabeledFormat::conllu},
                               {"jsonl", LabeledFormat::jsonl}});

/// The names of CoNLL-U's columns that may be labels, such as "xpos", in file order.
std::vector<std::string> conllu_label_columns();

/// True if the file's name, without an extension of compression, is that of CoNLL-U (.conllu) or
/// CoNLL-U Plus (.conllup; .cupt of PARSEME).
bool is_name_of_conllu(std::string_view name);

struct LabeledInput {
  std::string file;  ///< "-" is standard input
  /// If unset, detected by the file's name (is_name_of_conllu, .jsonl, before an extension of
  /// compression), or else by its first line that is not a comment: a JSON object is jsonl; ten
  /// columns beginning with a number are conllu; anything else is columns.
  std::optional<LabeledFormat> format;
  /// The column of CoNLL-U with the labels, see ConlluColumns::find_labels. Other formats have only
  /// one.
  std::string column = "upos";
  /// If false, labels are ignored and sentences have none: columns may be tokens alone, records
  /// need no "labels", and a file may have no token.
  bool labeled = true;
  bool strict = false;            ///< invalid UTF-8 is an error
  bool skip_bad_records = false;  ///< see ExampleInput

  /// Wraps the source of the file's bytes; empty: no wrapper.
  BytesThrough through;

  /// Once true, next() throws ReadingStopped instead of waiting for a pipe. Not owned; may be null.
  const std::atomic<bool>* stop = nullptr;
};

/// Opens the file and inspects its beginning. Memory is bounded: a sentence of columns or a record
/// of more than kMaxSentenceBytes, and a label of more than 1024 bytes, are malformed. `bytes`, if
/// given, are the content of the file, which is then not opened or decompressed. InputError if
/// there is no such file. next() throws RequestError if CoNLL-U has no such column, and InputError,
/// naming file and line, for violations of the format (a label without a token, a different number
/// of columns than before, different numbers of tokens and labels), and at the end of a file
/// without any token.
std::unique_ptr<LabeledFile> open_labeled(const LabeledInput& input,
                                          std::unique_ptr<ByteSource> bytes = nullptr);

}  // namespace elmo
