// Columns (CoNLL): one token and its label per line, a blank line after each sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/labeled/common/labeled_reader.h"
#include "io/text/bytes/byte_window.h"
#include "io/text/formats/format_reader.h"
#include "io/text/formats/record_lines.h"

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

}  // namespace elmo
