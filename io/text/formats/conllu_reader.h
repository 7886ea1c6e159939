// CoNLL-U (universaldependencies.org/format.html) and CoNLL-U Plus (…/ext-format.html): one word
// per line, a blank line after each sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/bytes/byte_stream.h"
#include "io/text/formats/format_reader.h"

namespace elmo {

/// True for names of files of CoNLL-U (.conllu) and CoNLL-U Plus (.conllup; PARSEME's .cupt),
/// without an extension of compression.
bool is_name_of_conllu(std::string_view name);

/// True for a line of ten columns of which the first is a number, as words have in CoNLL-U.
bool is_conllu_word(std::string_view line);

/// The columns of a file: the ten columns of CoNLL-U, or the columns of CoNLL-U Plus that the
/// comment `# global.columns = ID FORM …` names.
class ConlluColumns {
 public:
  ConlluColumns();

  /// If `line` is the comment that names the columns, uses them and returns true. InputError if
  /// FORM is missing.
  bool take(std::string_view line);

  /// Returns whether `line` is a comment: it begins with #, and is not a word, which may begin with
  /// # if there is no ID column.
  bool is_comment(std::string_view line) const;

  std::size_t size() const { return names_.size(); }
  std::size_t form() const { return form_; }             ///< 0-based, like all column numbers below
  std::optional<std::size_t> id() const { return id_; }  ///< CoNLL-U Plus may have none
  bool is_plus() const { return plus_; }
  /// The lower-case names of the columns that may hold labels: all but ID and FORM.
  std::vector<std::string> labels() const;
  /// Finds one of these columns by its name in any case or by its 1-based number, if the
  /// file has it.
  std::optional<std::size_t> find_labels(const std::string& name) const;

 private:
  std::vector<std::string> names_;  // in lower case
  std::size_t form_ = 0;
  std::optional<std::size_t> id_;
  bool plus_ = false;
};

/// Reads the FORM column of the syntactic words, whose IDs are 1, 2, 3, …. Lines of multiword
/// tokens (1-2) and of empty nodes (8.1) are skipped. A comment `# newdoc` begins a document, named
/// by `# newdoc id = ID`, whose blanks after the first are part of it, or else after the file;
/// words before the first one form a document named after the file. Comments without words are a
/// sentence of zero tokens, and so is a file of blank lines; several blank lines count as one.
/// InputError, naming the line, for a number of columns that differs from the file's, an ID that is
/// invalid or out of sequence, a FORM that is empty or contains a NUL, a sentence of more than
/// kMaxRecordBytes, and, naming the file, for a treebank without its text: several words, all of
/// them `_`, at the end or after 1,000. Without an ID column, each line is a word, also one that
/// begins with # if it has all columns.
///
/// One more column can be kept: a value for each token. An empty value is an InputError.
class ConlluReader : public FormatReader {
 public:
  /// `kept_column` as ConlluColumns::find_labels.
  explicit ConlluReader(const TextInput& input,
                        std::optional<std::string> kept_column = std::nullopt);

  /// RequestError if the file does not have the column to keep.
  bool next(Sentence& sentence) override;

  /// The values of the kept column for each token of the last sentence; empty if no column is kept.
  /// The caller may move them out.
  std::vector<std::string>& kept_values() { return kept_values_; }

 private:
  void read_line();
  void read_comment(std::string_view comment);
  void read_word();
  void split();
  std::string_view column(std::size_t number) const;
  void check_text(std::string_view word);
  [[noreturn]] void refuse_without_text() const;
  [[noreturn]] void fail(const std::string& found, const std::string& expected) const;

  std::optional<std::string> kept_column_;
  std::optional<std::size_t> kept_;  // its number, once it has been found
  std::vector<std::string> kept_values_;
  RecordLines lines_;
  RepairedText line_;
  ConlluColumns columns_;
  std::vector<TextRange> ranges_;            // of the line's columns
  std::optional<std::string> new_document_;  // id of the document that the next sentence begins
  bool begins_file_ = true;                  // false: earlier parts of the file may have text
  bool has_text_ = false;                    // a FORM is not "_"
  std::uint64_t words_without_text_ = 0;     // words before the first one that is not "_"

  // The current sentence.
  Sentence words_;
  std::vector<std::string> values_;
  std::uint64_t first_line_ = 0;  // 0: no line yet
  std::size_t bytes_ = 0;
};

}  // namespace elmo
