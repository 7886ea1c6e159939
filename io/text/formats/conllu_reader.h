// CoNLL-U (universaldependencies.org/format.html) and CoNLL-U Plus (…/ext-format.html): a word a
// line, a blank line after each sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/bytes/byte_window.h"
#include "io/text/formats/format_reader.h"
#include "io/text/formats/record_lines.h"

namespace elmo {

/// The columns of a file: the ten of CoNLL-U, or those of CoNLL-U Plus, which its comment
/// `# global.columns = ID FORM …` names.
class ConlluColumns {
 public:
  ConlluColumns();

  /// Whether a line is the comment that names the columns, which are taken then. InputError where
  /// FORM is not among them.
  bool take(std::string_view line);

  std::size_t size() const { return names_.size(); }
  std::size_t form() const { return form_; }             ///< 0-based, as all that follow
  std::optional<std::size_t> id() const { return id_; }  ///< CoNLL-U Plus may have none
  bool is_plus() const { return plus_; }
  /// The names in lower case of those that may hold labels: all but ID and FORM.
  std::vector<std::string> labels() const;
  /// One of these, by its name in any case or its number from 1; nothing where there is none.
  std::optional<std::size_t> find_labels(const std::string& name) const;

 private:
  std::vector<std::string> names_;  // in lower case
  std::size_t form_ = 0;
  std::optional<std::size_t> id_;
  bool plus_ = false;
};

/// The FORM column of the syntactic words, whose IDs are 1, 2, 3, …; lines of multiword tokens
/// (1-2) and of empty nodes (8.1) are passed over. A comment `# newdoc` begins a document, named by
/// `# newdoc id =` or else like the file; what stands before the first one is a document named like
/// the file. Comments without words are a sentence of zero tokens, as is a file of blank lines;
/// more than one blank line is as one. InputError, naming the line, for another number of columns
/// than the file has, an ID that is none or not the next one, a FORM that is empty or holds a NUL,
/// and a sentence of more than kMaxRecordBytes. Where there are no IDs, each line is a word.
///
/// A column beside FORM can be kept too: a value a token, where an empty one is an InputError.
class ConlluReader : public FormatReader {
 public:
  /// `kept_column` as ConlluColumns::find_labels.
  ConlluReader(ByteWindow& window, std::string name, ReadingContext& context,
               std::optional<std::string> kept_column = std::nullopt);

  /// RequestError where the file has no column to be kept.
  bool next(Sentence& sentence) override;

  /// What the kept column says of each token of the sentence that next() gave last; empty without
  /// such a column. The caller may move them away.
  std::vector<std::string>& kept_values() { return kept_values_; }

 private:
  void read_line();
  void read_comment(std::string_view comment);
  void read_word();
  void split();
  std::string_view column(std::size_t number) const;
  [[noreturn]] void fail(const std::string& found, const std::string& expected) const;

  std::string name_;
  ReadingContext& context_;
  std::optional<std::string> kept_column_;
  std::optional<std::size_t> kept_;  // its number, once it was looked for
  std::vector<std::string> kept_values_;
  RecordLines lines_;
  RepairedText line_;
  ConlluColumns columns_;
  std::vector<TextRange> ranges_;  // of the line's columns
  std::shared_ptr<const Document> document_;
  std::optional<std::string> new_document_;  // the id of the document that the sentence begins

  // The sentence that is being read. Kept, for a read may break off with WouldWait.
  Sentence words_;
  std::vector<std::string> values_;
  std::uint64_t first_line_ = 0;  // none yet
  std::size_t bytes_ = 0;
};

}  // namespace elmo
