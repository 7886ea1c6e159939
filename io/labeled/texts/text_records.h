// Readers of labeled texts, in records of one or two texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/inference/sentence.h"
#include "io/json/json_fields.h"
#include "io/labeled/common/labeled_reader.h"
#include "io/text/bytes/byte_window.h"
#include "io/text/formats/format_reader.h"
#include "io/text/formats/record_lines.h"

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

  /// Reads the next text. Both texts of a pair have the pair's label. May be called again after
  /// WouldWait.
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

}  // namespace elmo
