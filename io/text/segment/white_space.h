// White space, and text without the white space around it.
#pragma once

#include <cstdint>
#include <string_view>

namespace elmo {

/// Whether a code point has the property White_Space, or is one of U+001C to U+001F, which Python's
/// str.strip() and str.split() take as well.
bool is_white_space(std::int32_t code_point);

/// `text`, valid UTF-8 or not, without the white space at its two ends.
std::string_view without_outer_white_space(std::string_view text);

/// `line` without the blanks at its two ends: spaces, tabs and carriage returns.
std::string_view without_outer_blanks(std::string_view line);

/// Whether `line` has nothing but these blanks.
inline bool is_blank_line(std::string_view line) { return without_outer_blanks(line).empty(); }

}  // namespace elmo
