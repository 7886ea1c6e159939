// Word characters of regular expressions.
#pragma once

#include <cstdint>

namespace elmo {

/// True if a code point is a letter (General_Category L) or has a numeric value. These are the
/// characters that \w matches in Python's regular expressions, without the underscore. False for
/// marks.
bool is_letter_or_number(std::int32_t code_point);

}  // namespace elmo
