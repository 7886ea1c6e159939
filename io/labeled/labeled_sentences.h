// Columns (CoNLL): one token and its label per line, a blank line after each sentence.
//
// JSON Lines with one label per token.
//
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
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/enum_table.h"
#include "core/tasks/common/spans.h"
#include "io/labeled/labeled_reader.h"
#include "io/text/bytes/byte_stream.h"
#include "io/text/formats/format_reader.h"

namespace elmo {

/// First column of a line that begins a document and is not a token.
inline constexpr std::string_view kDocumentStart = "-DOCSTART-";

/// See labeled_sentences.h.
class ColumnReader : public LabeledReader {
 public:
  /// `window` must outlive this object.
  ColumnReader(ByteWindow& window, std::string name, ReadingContext& context, bool labeled);

  bool next(LabeledSentence& labeled) override;

 private:
  void read_token(LabeledSentence& labeled);
  void split();
  std::string_view text_of(const TextRange& column) const {
    return line_.text().substr(column.begin, column.end - column.begin);
  }
  [[noreturn]] void fail(const std::string& found, const std::string& expected) const;

  std::string name_;
  bool labeled_;
  std::shared_ptr<const Document> document_;
  RecordLines lines_;
  RepairedText line_;
  std::vector<TextRange> columns_;  // of line_
  std::size_t column_count_ = 0;    // 0: not known yet
  std::uint64_t counted_line_ = 0;  // the line that set column_count_
};

/// See labeled_sentences.h.
class RecordReader : public LabeledReader {
 public:
  /// `window` and `context` must outlive this object.
  RecordReader(ByteWindow& window, std::string name, ReadingContext& context, bool labeled)
      : name_(std::move(name)), context_(context), labeled_(labeled), lines_(window) {}

  bool next(LabeledSentence& labeled) override;

 private:
  void read_record(std::string_view json, LabeledSentence& labeled);

  std::string name_;
  ReadingContext& context_;
  bool labeled_;
  RecordLines lines_;
  RepairedText line_;
};

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
