// Labeled sentences in files of the formats that people keep them in.
//
// - columns (CoNLL): a token a line, a blank line after each sentence. Columns are separated by
//   TABs, or by spaces in a line without any TAB; the first is the token, the last the label, and
//   all lines of a file have as many: two, or more as in CoNLL-2003. Lines `-DOCSTART-` are passed
//   over. A document is a file, and spans point into it.
// - conllu: as text_source.h says, labeled by one of the columns of
//   CoNLL-U or CoNLL-U Plus. A sentence without words keeps its place.
// - jsonl: a record a line, {"tokens": […], "labels": […]}, blank lines are none. A document is a
//   record, named by its field "id" or else its line; spans point into its tokens joined by spaces.
//
// Files are UTF-8, decompressed where they begin like gzip, zstd, xz or bzip2. What is invalid is
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

/// The names of CoNLL-U's columns that may be labels, as in "xpos", in the order of the file.
std::vector<std::string> conllu_label_columns();

/// Whether a file of that name, without the ending of compression, is CoNLL-U (.conllu) or CoNLL-U
/// Plus (.conllup; .cupt of PARSEME).
bool is_name_of_conllu(std::string_view name);

struct LabeledInput {
  std::string file;  ///< "-" is standard input
  /// None: detected by the file's name (is_name_of_conllu, .jsonl, in front of what compression
  /// adds), or else by its first line that is no comment: a JSON object; ten columns and a number
  /// first; columns.
  std::optional<LabeledFormat> format;
  /// The labels of CoNLL-U, as ConlluColumns::find_labels; other formats have only one kind.
  std::string column = "upos";
  /// Else labels are not looked at and sentences have none: columns may be tokens alone, records
  /// need no "labels", and a file may hold no token.
  bool labeled = true;
  bool strict = false;            ///< invalid UTF-8 is an error
  bool skip_bad_records = false;  ///< as ExampleInput has it

  /// What the file's bytes go through as they are read; empty: nothing.
  BytesThrough through;

  /// Once true, next() throws ReadingStopped where it would wait for a pipe; not owned, may be
  /// null.
  const std::atomic<bool>* stop = nullptr;
};

/// Opens the file and looks at its beginning. Memory is bounded: a sentence of columns or a record
/// of more than kMaxSentenceBytes, and a label of more than 1024 bytes, are malformed. `bytes`, if
/// given, are those of the file, which else is opened and decompressed. InputError if there is no
/// such file. next() throws RequestError where CoNLL-U has no such column, and InputError, naming
/// file and line, for what the format does not allow (a label without a token, another number of
/// columns than before, different numbers of tokens and labels), and at the end of a file that has
/// no token at all.
std::unique_ptr<LabeledFile> open_labeled(const LabeledInput& input,
                                          std::unique_ptr<ByteSource> bytes = nullptr);

}  // namespace elmo
