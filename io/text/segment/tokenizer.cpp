#include "io/text/segment/tokenizer.h"

#include <unicode/uchar.h>

#include "io/text/segment/code_points.h"

namespace elmo {
namespace {

bool is_blank(UChar32 c) { return u_isUWhiteSpace(c) || u_charType(c) == U_CONTROL_CHAR; }

bool is_visible_ascii(char c) { return c > ' ' && c < '\x7f'; }

bool has_visible(std::string_view text) {
  for (std::size_t next = 0; next < text.size();) {
    if (!u_hasBinaryProperty(next_code_point(text, next), UCHAR_DEFAULT_IGNORABLE_CODE_POINT)) {
      return true;
    }
  }
  return false;
}

/// Removes blanks at both ends; the range becomes empty if no visible character is left.
TextRange trim(std::string_view text, TextRange range) {
  if (is_visible_ascii(text[range.begin]) && is_visible_ascii(text[range.end - 1])) return range;
  for (std::size_t next = range.begin; range.begin < range.end; range.begin = next) {
    if (!is_blank(next_code_point(text, next))) break;
  }
  for (std::size_t before = range.end; range.begin < range.end; range.end = before) {
    if (!is_blank(previous_code_point(text, before))) break;
  }
  if (!has_visible(text.substr(range.begin, range.end - range.begin))) range.end = range.begin;
  return range;
}

}  // namespace

void Tokenizer::set_text(std::string_view text) {
  words_.set_text(text);
  text_ = text;
  position_ = 0;
}

bool Tokenizer::next(std::size_t limit, TextRange& token) {
  while (position_ < limit) {
    const std::size_t begin = position_;
    const std::size_t end = words_.next();
    if (end == Boundaries::npos) return false;
    position_ = end;
    token = trim(text_, {begin, end});
    if (token.begin < token.end) return true;
  }
  return false;
}

void SentenceBreaker::set_text(std::string_view text) {
  sentences_.set_text(text);
  text_ = text;
}

std::size_t SentenceBreaker::next() {
  std::size_t end = sentences_.next();
  while (end < text_.size() && abbreviations_.at(text_, end)) end = sentences_.next();
  return end;
}

}  // namespace elmo
