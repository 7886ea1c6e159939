#include "io/labeled/tokens/column_reader.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "io/text/segment/white_space.h"

namespace elmo {

ColumnReader::ColumnReader(ByteWindow& window, std::string name, ReadingContext& context,
                           bool labeled)
    : name_(std::move(name)),
      labeled_(labeled),
      document_(context.begin_document(name_)),
      lines_(window) {}

bool ColumnReader::next(LabeledSentence& labeled) {
  Sentence& sentence = labeled.sentence;
  std::size_t bytes = 0;
  while (lines_.next()) {
    bytes += lines_.line().size();
    if (lines_.too_long() || bytes > kMaxSentenceBytes) {
      fail("a sentence of more than " + std::to_string(kMaxSentenceBytes) + " bytes",
           "a blank line after each sentence");
    }
    line_.assign(lines_.line());
    split();
    if (columns_.empty()) {
      if (sentence.size() > 0) break;
      bytes = 0;
      continue;
    }
    if (text_of(columns_.front()) == kDocumentStart) continue;
    read_token(labeled);
  }
  sentence.document = document_;
  return sentence.size() > 0;
}

/// Finds the columns of the line; none if it is blank.
void ColumnReader::split() {
  columns_.clear();
  const std::string_view text = line_.text();
  if (is_blank_line(text)) return;
  const bool tabs = text.find('\t') != std::string_view::npos;
  const char separator = tabs ? '\t' : ' ';
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    if (tabs || begin < end) columns_.push_back({begin, end});
    begin = end + 1;
  }
}

void ColumnReader::read_token(LabeledSentence& labeled) {
  const std::string_view token = text_of(columns_.front());
  const std::string_view label = text_of(columns_.back());
  if (token.empty()) fail("a label without a token", "a token in the first column");
  if (labeled_ && columns_.size() == 1)
    fail("one column", "a token and its label, separated by a tab");
  if (labeled_ && label.empty()) fail("a token without a label", "a label in the last column");
  if (column_count_ == 0) {
    column_count_ = columns_.size();
    counted_line_ = lines_.number();
  }
  if (columns_.size() != column_count_) {
    fail(std::to_string(columns_.size()) + " columns",
         std::to_string(column_count_) + ", as in line " + std::to_string(counted_line_));
  }
  if (token.find('\0') != std::string_view::npos) fail("a NUL in a token", "text");
  if (labeled_ && label.size() > kMaxLabelBytes) {
    fail("a label of " + std::to_string(label.size()) + " bytes",
         "no more than " + std::to_string(kMaxLabelBytes));
  }
  Sentence& sentence = labeled.sentence;
  if (sentence.size() == 0) sentence.line = lines_.number();
  sentence.begin_line(lines_.number());
  add_token(line_, columns_.front(), lines_.offset(), sentence);
  if (labeled_) labeled.labels.emplace_back(label);
}

void ColumnReader::fail(const std::string& found, const std::string& expected) const {
  throw InputError(name_ + ": line " + std::to_string(lines_.number()) + ": found " + found +
                   "; expected " + expected + " (columns); fix the file");
}

}  // namespace elmo
