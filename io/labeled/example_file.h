// Files of examples of any kind of task.
//
// An ExampleFile opens a file, chooses the reader of its format, adds the file's name to errors and
// reports a file without examples. Files are UTF-8; those that begin like gzip, zstd, xz or bzip2
// are decompressed. CSV is read as columns separated by TABs, and a JSON array of objects as JSON
// Lines. Invalid UTF-8 is read as U+FFFD.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/enum_table.h"
#include "core/error.h"
#include "core/inference/sentence.h"
#include "core/tasks/common/label_scores.h"
#include "core/tasks/common/task_corpus.h"
#include "io/text/bytes/byte_stream.h"
#include "io/text/formats/format_reader.h"
#include "io/text/segment/segmenter.h"
#include "io/text/segment/utf8.h"

namespace elmo {

struct JsonField;
class JsonDocument;
class JsonNode;

/// Forms of files with text to be labeled, or with labels. text, tokens, jsonl and conllu are the
/// formats of the same names in format_reader.h. columns: lines of labeled examples (tokens, a text
/// or a pair of texts). token_records: JSON Lines whose records hold tokens. data_records: JSON
/// Lines whose records hold a text in "data", as Label Studio exports them.
enum class TextForm { text, tokens, jsonl, token_records, data_records, conllu, columns };

/// Names for users. token_records and data_records are recognized by their content.
inline constexpr auto kTextForms = enum_table<TextForm>({{"text", TextForm::text},
                                                         {"tokens", TextForm::tokens},
                                                         {"jsonl", TextForm::jsonl},
                                                         {"conllu", TextForm::conllu},
                                                         {"columns", TextForm::columns}});

/// The beginnings of the lines around a document in CoNLL-2012's columns.
inline constexpr std::string_view kDocumentBegin = "#begin document";
inline constexpr std::string_view kDocumentEnd = "#end document";

/// First column of a line that begins a document and is not a token.
inline constexpr std::string_view kDocumentStart = "-DOCSTART-";

/// Names of the columns of a table to read, in any case. Empty: the names that well-known data sets
/// have.
struct TableNames {
  std::vector<std::string> texts;  ///< one, or two for a pair
  std::string label;

  bool given() const { return !texts.empty() || !label.empty(); }
};

/// A file of examples and how to read it.
struct ExampleInput {
  std::string file;  ///< "-" is standard input
  /// Unset: as form_of() finds it, otherwise columns.
  std::optional<TextForm> form = std::nullopt;
  /// The column of CoNLL-U with the labels of tokens, see ConlluColumns::find_labels.
  std::string column = "upos";
  /// Lines of texts begin with a label, used or ignored. Unset: if labels are used, or if the first
  /// line has a TAB for one.
  std::optional<bool> label_column = std::nullopt;
  TableNames table{};              ///< columns of texts to read
  TokenizerSettings tokenizer{};   ///< tokenizer of raw text
  bool labeled = true;             ///< else labels are ignored and may be missing
  bool skip_unanswerable = false;  ///< skip questions without an answer

  bool strict = false;            ///< invalid UTF-8 is an error; else it is read as U+FFFD
  bool skip_bad_records = false;  ///< skip and count malformed records
  BytesThrough through = {};

  /// Once true, next() throws ReadingStopped instead of waiting for a pipe. Not owned; may be null.
  const std::atomic<bool>* stop = nullptr;
};

/// Counts of input that was skipped or changed.
struct ExampleCounters {
  std::uint64_t malformed = 0;     ///< malformed records, skipped by ExampleInput::skip_bad_records
  std::uint64_t without_gold = 0;  ///< records skipped because their annotators did not agree
  std::uint64_t invalid_sequences = 0;  ///< invalid UTF-8 sequences read as U+FFFD
};

struct ExampleFormat;

/// An open file as its reader sees it: the bytes after the byte order mark, and what belongs to the
/// file. Must not move. One thread at a time.
struct OpenedFile {
  /// Sets the form of the input. `bytes`, if given, are the content of the file, which is then not
  /// opened or decompressed. `segments`: the file has raw text for the tokenizer. Errors: as
  /// open_file; RequestError for an unknown locale. If the input is strict, reading invalid UTF-8
  /// from the window throws InputError.
  OpenedFile(const ExampleInput& example_input, LabelSet& label_set, bool segments,
             const ExampleFormat& format, std::unique_ptr<ByteSource> bytes);
  OpenedFile(const OpenedFile&) = delete;
  OpenedFile& operator=(const OpenedFile&) = delete;

  /// Skips and counts a malformed record if the input asks for that. Otherwise throws the error
  /// with `where` in front and a remedy at the end; for labeled data, the remedy is `advice`. Any
  /// thread.
  void leave_out(const std::string& where, const InputError& error,
                 const char* advice = "; fix the record");

  ExampleInput input;
  LabelSet& labels;  ///< numbers the labels of the examples and receives new ones
  ReadState state;
  ReadingContext context;
  std::atomic<std::uint64_t> malformed = 0;  ///< see ExampleCounters
  std::uint64_t without_gold = 0;            ///< see ExampleCounters
  /// Invalid UTF-8 sequences, including text that was read ahead.
  std::uint64_t invalid_sequences = 0;
  ByteWindow window;
};

/// Reads the groups of a file in one format. One thread at a time.
class ExampleReader {
 public:
  /// `file` must outlive this object.
  explicit ExampleReader(OpenedFile& file) : file_(file) {}
  virtual ~ExampleReader() = default;

  /// Replaces `group` by the next group. Returns false at the end. InputError, naming the line, for
  /// violations of the format.
  virtual bool next(ExampleGroup& group) = 0;

  /// See ExampleFile::note().
  virtual std::string note() const { return {}; }

 protected:
  bool labeled() const { return file_.input.labeled; }
  /// The numbers of the labels; none if labels are ignored.
  std::vector<std::int32_t> numbers_of(const std::vector<std::string>& labels);
  /// The same as gold data; null if labels are ignored.
  std::shared_ptr<const TaskGold> label_gold(const std::vector<std::string>& labels);

  OpenedFile& file_;
};

/// Returns the id of a record: a string, or a whole number as one. InputError for other values.
std::string id_of(const JsonNode& node);

/// The string in a member of a record in the form of before_repair(). `line` is what the record was
/// parsed from.
std::string source_text(const JsonDocument& record, const char* key, const RepairedText& line);

/// Throws the InputError "found FOUND; expected EXPECTED".
[[noreturn]] void refuse(const std::string& found, const std::string& expected);

/// "line N: "
std::string in_line(std::uint64_t line);

/// Calls read(), which reads the current line of `lines`. Its InputErrors get the line in front and
/// `advice` at their ends.
template <typename Lines, typename Read>
auto name_line(const Lines& lines, const char* advice, const Read& read) {
  try {
    return read();
  } catch (const InputError& error) {
    throw InputError(in_line(lines.number()) + error.what() + advice);
  }
}

/// Base of the readers of formats with one record per line.
class RecordReader : public ExampleReader {
 public:
  /// Records of more than `max_bytes` are malformed. Lines with only `blanks` are skipped. The
  /// window is at line `first_line`.
  RecordReader(OpenedFile& file, std::size_t max_bytes, std::string_view blanks = " \t\r",
               std::uint64_t first_line = 1)
      : ExampleReader(file),
        max_bytes_(max_bytes),
        blanks_(blanks),
        lines_(file.window, first_line) {}

  bool next(ExampleGroup& group) override;

 protected:
  /// The current line as in the file, and with invalid UTF-8 repaired.
  const RecordLines& lines() const { return lines_; }
  const RepairedText& line() const { return line_; }
  /// Begins the document of the record, which has the field `id` or else its line as its name.
  /// InputError, without the line, if the field is neither a string nor a number.
  std::shared_ptr<const Document> begin_document(const JsonField& id);

 private:
  /// Reads the current line into an empty group. Returns false if it has no gold label. InputError,
  /// without the line, for a malformed record.
  virtual bool read(ExampleGroup& group) = 0;

  std::size_t max_bytes_;
  std::string_view blanks_;
  RecordLines lines_;
  RepairedText line_;
};

/// How lines are divided. tabs: at each TAB; at runs of spaces in a line without any TAB. blanks:
/// at runs of white space.
enum class ColumnSeparator { tabs, blanks };

/// Reads the lines of a file in columns. One thread.
class ColumnLines {
 public:
  /// `file` must outlive this object.
  ColumnLines(OpenedFile& file, ColumnSeparator separator)
      : lines_(file.window), separator_(separator) {}

  /// Reads the next line. Returns false at the end.
  bool next();

  /// True if the line is too long, or all lines since begin_unit() have more than `bytes`.
  bool exceeds(std::size_t bytes) const { return lines_.too_long() || bytes_ > bytes; }
  /// Begins a sentence or a document, for exceeds().
  void begin_unit() { bytes_ = 0; }

  std::uint64_t number() const { return lines_.number(); }
  /// The line in valid UTF-8.
  std::string_view text() const { return line_.text(); }
  /// Number of columns; 0 for a blank line.
  std::size_t count() const { return columns_.size(); }
  std::string_view operator[](std::size_t column) const {
    return text().substr(columns_[column].begin, columns_[column].end - columns_[column].begin);
  }

  /// Adds a column as a token, with its place in the file and its line.
  void add_token(std::size_t column, Sentence& sentence) const;

 private:
  RecordLines lines_;
  ColumnSeparator separator_;
  RepairedText line_;
  std::vector<TextRange> columns_;  // of line_
  std::size_t bytes_ = 0;
};

/// How files of a kind of task are read.
struct ExampleFormat {
  /// Error messages for a labeled file without any group, and without any label or gold data. Null:
  /// the reader checks that.
  const char* no_example = nullptr;
  const char* no_label = nullptr;
  /// Makes the reader of the file's form, or inspects its beginning.
  std::unique_ptr<ExampleReader> (*make_reader)(OpenedFile& file) = nullptr;
  /// Endings of the names of files in columns; those of CSV end in .csv.
  std::span<const std::string_view> column_endings = {};
  /// Returns whether only a file in columns begins with this line. Null: no line says so.
  bool (*begins_columns)(std::string_view line) = nullptr;
};

/// The first line that is not blank.
struct FirstLine {
  RepairedText text;
  std::uint64_t number = 1;
  std::size_t size = 0;  ///< bytes of the window to its end
};

/// Reads the first line, of which at most `limit` bytes are in the window, without consuming it.
FirstLine peek_first_line(ByteWindow& window, std::size_t limit);

/// Returns the form of a file by its first line that is neither blank nor a comment, or else by its
/// name, without an extension of compression: conllu, jsonl, or columns as `format` describes them.
/// Nothing if neither tells, so that it may be any text. Reads no further than necessary, at most
/// 64 KiB. InputError for CoNLL-U Plus without the column FORM.
std::optional<TextForm> form_of(std::string_view file, ByteWindow& window,
                                const ExampleFormat& format);

/// Returns the form of a file to be labeled: as form_of() finds it, otherwise text. Only the name
/// counts if the file can be read only once. Errors: as open_file and form_of().
TextForm form_of_file(const std::string& file, const ExampleFormat& format);

/// The form of a file of JSON records by the first one: with a text in `text_field` jsonl,
/// otherwise token_records for {"tokens": […]} and data_records for {"data": {…}}. jsonl if the
/// file can be read only once or the record is malformed. Errors: as open_file.
TextForm form_of_records(const std::string& file, const std::string& text_field);

/// The examples of one file.
class ExampleFile final : public ExampleSource {
 public:
  /// `labels` must outlive this object. Other arguments and errors: as OpenedFile's.
  ExampleFile(const ExampleInput& input, bool segments, const ExampleFormat& format,
              LabelSet& labels, std::unique_ptr<ByteSource> bytes = nullptr);

  bool next(ExampleGroup& group) override;
  const std::string& name() const override { return file_.input.file; }

  /// Counts so far, including what was read ahead.
  ExampleCounters counters() const;
  /// A note to the user about the file, once it has been read; empty: nothing to report.
  std::string note() const;

 private:
  void check_end() const;

  ExampleFormat format_;
  OpenedFile file_;
  std::unique_ptr<ExampleReader> reader_;
  bool has_groups_ = false;
  bool has_labels_ = false;  // or gold data
};

/// Maximum length of a label. Labels appear in error messages and tables; no established label set
/// has longer ones.
inline constexpr std::size_t kMaxLabelBytes = 1024;

/// InputError for a token with NUL.
void check_token(std::string_view token);

/// InputError for a label that is empty or longer than kMaxLabelBytes.
void check_label(std::string_view label);

/// InputError, which begins with `found` ("found a text"), for more than kDefaultMaxSentenceTokens.
void check_token_count(const std::string& found, std::size_t tokens);

/// Appends the tokens to `sentence`. Their spans refer to the tokens joined by spaces, before
/// ill-formed UTF-8 is repaired. InputError for a token that is empty or contains NUL.
void add_listed_tokens(const std::vector<std::string>& tokens, Sentence& sentence);

/// A group of one sentence, with one record unless the sentence has no token.
ExampleGroup sentence_group(Sentence sentence, std::shared_ptr<const TaskGold> gold);

/// True if the window begins with one of `beginnings`, after at most 64 KiB of JSON's white space.
/// Reads no further than necessary. One thread.
bool begins_with_json(ByteWindow& window, std::initializer_list<std::string_view> beginnings);

/// CSV and JSON arrays as lines, for readers of one record per line. Both pass a record on as soon
/// as they have read it, and keep the numbers of lines: a record that has several lines becomes
/// one, with spaces for the line feeds, and blank lines take the place of the others. Bytes need
/// not be valid UTF-8; a byte order mark is kept. Errors: as those of `bytes`. One thread.
///
/// lines_of_csv: CSV (RFC 4180) as columns, with TABs between the fields, without quotation marks,
/// and with spaces for the TABs in a field. The first comma, semicolon or TAB outside of quotation
/// marks is the separator. InputError, naming the line, for a quotation mark that no other one
/// closes.
///
/// lines_of_array: a JSON array of objects as JSON Lines. Objects that share a line get lines of
/// their own; numbers of lines are then too large. Bytes that begin otherwise, and those after the
/// array, remain as they are. InputError, naming the line, for anything but one comma between two
/// objects. Does not check that the objects are JSON.
std::unique_ptr<ByteSource> lines_of_csv(std::unique_ptr<ByteSource> bytes);
std::unique_ptr<ByteSource> lines_of_array(std::unique_ptr<ByteSource> bytes);

}  // namespace elmo
