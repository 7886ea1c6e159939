#include "io/text/segment/white_space.h"

#include <unicode/uchar.h>

#include <algorithm>

#include "io/text/segment/code_points.h"

namespace elmo {

bool is_white_space(std::int32_t code_point) {
  constexpr UChar32 kFileSeparator = 0x1C;
  constexpr UChar32 kUnitSeparator = 0x1F;
  return u_isUWhiteSpace(code_point) != 0 ||
         (code_point >= kFileSeparator && code_point <= kUnitSeparator);
}

std::string_view without_outer_white_space(std::string_view text) {
  std::size_t begin = 0;
  for (std::size_t next = 0; next < text.size(); begin = next) {
    if (!is_white_space(next_code_point(text, next))) break;
  }
  text.remove_prefix(begin);
  std::size_t end = text.size();
  for (std::size_t before = end; before > 0; end = before) {
    if (!is_white_space(previous_code_point(text, before))) break;
  }
  return text.substr(0, end);
}

std::string_view without_outer_blanks(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  return line.substr(0, line.find_last_not_of(kBlanks) + 1);
}

}  // namespace elmo
