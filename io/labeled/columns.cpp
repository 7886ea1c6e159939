#include "io/labeled/columns.h"

#include <algorithm>

#include "io/text/formats/format_reader.h"
#include "io/text/segment/characters.h"

namespace elmo {

bool ColumnLines::next() {
  if (!lines_.next()) return false;
  bytes_ += lines_.line().size();
  line_.assign(lines_.line());
  columns_.clear();
  const std::string_view text = line_.text();
  if (is_blank_line(text)) return true;
  const bool tabs = separator_ == ColumnSeparator::tabs && text.find('\t') != text.npos;
  const std::string_view separators = tabs                                  ? "\t"
                                      : separator_ == ColumnSeparator::tabs ? " "
                                                                            : " \t\r";
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    if (tabs || begin < end) columns_.push_back({begin, end});
    begin = end + 1;
  }
  return true;
}

void ColumnLines::add_token(std::size_t column, Sentence& sentence) const {
  if (sentence.size() == 0) sentence.line = number();
  sentence.begin_line(number());
  elmo::add_token(line_, columns_[column], lines_.offset(), sentence);
}

}  // namespace elmo
