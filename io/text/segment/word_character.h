// Characters of words, as regular expressions know them.
#pragma once

#include <cstdint>

namespace elmo {

/// Whether a code point is a letter (General_Category L) or has a numeric value: what Python's
/// regular expressions match by \w, but for the underscore. Marks are none.
bool is_letter_or_number(std::int32_t code_point);

}  // namespace elmo
