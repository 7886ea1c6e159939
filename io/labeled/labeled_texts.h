// Readers of labeled texts, in records of one or two texts.
//
// Labeled texts and pairs of texts, in files of common formats.
//
// - lines: `label TAB text`; for pairs `label TAB text TAB text`. Spans refer to the file.
// - jsonl: one record per line, {"text", "label"} or {"tokens", "label"}; for pairs {"text1",
//   "text2", "label"}, {"tokens1", "tokens2", "label"}, {"premise", "hypothesis", "label"}, or
//   SNLI's and MultiNLI's {"sentence1", "sentence2", "gold_label"}. A label is a string or a
//   number. A list of tokens is used as it is. Each record is a document, named by its field "id"
//   or else its line; spans refer to its text, or to its tokens joined by spaces. Pairs that their
//   annotators did not agree on have "gold_label" "-" or the number -1 as "label" (as exported by
//   Hugging Face). They are skipped and counted, as in all work on these corpora.
//
// Texts to be labeled may have a label, which is ignored, or none: one text per line, for pairs
// `text TAB text`, or records without a label.
//
// Blank lines are skipped. Text is tokenized as elsewhere (segmenter.h). A text is one sentence,
// however many sentences it contains: task models and the biLM read it as one sequence, as in
// published models with ELMo. Its tokens are the same as if it were a line of text.
//
// Files are UTF-8; those that begin like gzip, zstd, xz or bzip2 are decompressed. Invalid UTF-8 is
// read as U+FFFD.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/inference/sentence.h"
#include "core/tasks/common/spans.h"
#include "io/json/json_fields.h"
#include "io/labeled/labeled_reader.h"
#include "io/text/bytes/byte_stream.h"
#include "io/text/formats/format_reader.h"

namespace elmo {

/// One or two texts and their label.
struct TextRecord {
  std::vector<Sentence> texts;
  std::string label;  ///< empty if labels are not read
};

/// Content of a record.
struct TextRecordShape {
  std::size_t texts = 1;     ///< 1 or 2
  bool labeled = true;       ///< else labels are ignored, and texts may have no words
  bool label_column = true;  ///< for lines
};

/// Reads the records of one file. One thread at a time.
class TextRecordReader : public LabeledReader {
 public:
  /// `window` and `context` must outlive this object. Lines with only `blanks` are skipped.
  TextRecordReader(ByteWindow& window, std::string name, ReadingContext& context,
                   const TextRecordShape& shape, std::string_view blanks = " \t\r")
      : name_(std::move(name)), context_(context), shape_(shape), blanks_(blanks), lines_(window) {}

  /// Reads the next text. Both texts of a pair have the pair's label.
  bool next(LabeledSentence& labeled) override;

  std::uint64_t without_gold() const override { return without_gold_; }

 protected:
  const TextRecordShape& shape() const { return shape_; }
  ReadingContext& context() { return context_; }
  const RecordLines& lines() const { return lines_; }
  const RepairedText& repaired_line() const { return line_; }

  /// Adds ICU's tokens of `text`, valid or not, which begins at byte `offset` of its document.
  void add_words(std::string_view text, std::uint64_t offset, Sentence& sentence);

 private:
  /// Parses the line, which is `valid` after repair, into a record of empty texts. Returns false if
  /// it has no gold label.
  virtual bool read(std::string_view valid, TextRecord& record) = 0;
  bool next_record();
  void check(const TextRecord& record) const;

  std::string name_;
  ReadingContext& context_;
  TextRecordShape shape_;
  std::string_view blanks_;
  RecordLines lines_;
  RepairedText line_;
  RepairedText text_;
  TextRecord record_;
  std::size_t texts_left_ = 0;  // texts of record_ that next() has not returned yet
  std::uint64_t without_gold_ = 0;
};

/// `label TAB text`; see labeled_texts.h.
class TextLines : public TextRecordReader {
 public:
  TextLines(ByteWindow& window, const std::string& name, ReadingContext& context,
            const TextRecordShape& shape)
      : TextRecordReader(window, name, context, shape, blanks(shape)),
        document_(context.begin_document(name)) {}

 private:
  /// Without a column of labels, a line with only a TAB is a pair of empty texts.
  static std::string_view blanks(const TextRecordShape& shape) {
    return shape.texts == 2 && !shape.label_column ? " \r" : " \t\r";
  }
  bool read(std::string_view valid, TextRecord& record) override;

  std::shared_ptr<const Document> document_;
};

/// JSON Lines; see labeled_texts.h.
class TextJsonLines : public TextRecordReader {
 public:
  TextJsonLines(ByteWindow& window, std::string name, ReadingContext& context,
                const TextRecordShape& shape);

 private:
  bool read(std::string_view valid, TextRecord& record) override;
  bool read_label(const std::vector<JsonField>& fields, TextRecord& record) const;

  std::vector<std::string> names_;  // of fields
};

struct LabeledTextInput {
  std::string file;          ///< "-" is standard input
  bool pairs = false;        ///< two texts per label
  bool labeled = true;       ///< else labels are ignored, and texts may have no words
  bool label_column = true;  ///< lines begin with a label, used or ignored
  TokenizerSettings tokenizer;
  bool strict = false;  ///< see ExampleInput
  bool skip_bad_records = false;

  /// Once true, next() throws ReadingStopped instead of waiting for a pipe. Not owned; may be null.
  const std::atomic<bool>* stop = nullptr;
};

/// Opens the file and inspects its beginning. Files that end in .jsonl (before an extension of
/// compression) or begin with `{` are jsonl, all others lines. next() gives each text with one
/// label. The two texts of a pair come one after the other, each with the pair's label. If labels
/// are not read, texts have none. Memory is bounded: a record of more than kMaxSentenceBytes, a
/// text of more than kDefaultMaxSentenceTokens (core/inference/sentence.h) and a label of
/// more than 1024 bytes are malformed. `bytes`, if given, are the content of the file, which is
/// then not opened or decompressed. InputError if there is no such file, RequestError for an
/// unknown locale. next() throws InputError, naming file and line, for violations of the format (a
/// text without a label or without any token), and at the end of a file without any text.
std::unique_ptr<LabeledFile> open_labeled_texts(const LabeledTextInput& input,
                                                std::unique_ptr<ByteSource> bytes = nullptr);

}  // namespace elmo
