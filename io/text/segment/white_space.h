// White space, and its removal at the ends of text.
#pragma once

#include <cstdint>
#include <string_view>

namespace elmo {

/// True if a code point has the property White_Space or is one of U+001C to U+001F, which Python's
/// str.strip() and str.split() also remove.
bool is_white_space(std::int32_t code_point);

/// Returns `text`, which may be invalid UTF-8, without the white space at both ends.
std::string_view without_outer_white_space(std::string_view text);

/// Returns `line` without the blanks at both ends: spaces, tabs and carriage returns.
std::string_view without_outer_blanks(std::string_view line);

/// True if `line` has nothing but these blanks.
inline bool is_blank_line(std::string_view line) { return without_outer_blanks(line).empty(); }

}  // namespace elmo
