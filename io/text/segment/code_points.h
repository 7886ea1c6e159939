// Iteration over the code points of UTF-8, with ICU's macros.
#pragma once

#include <unicode/utf8.h>

#include <cstddef>
#include <string_view>

namespace elmo {

// The macros narrow integers deliberately, which our warnings do not allow.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

/// Returns the code point at `position` and advances `position` past it. Returns a negative number
/// for an ill-formed sequence and skips one maximal subpart of it.
inline UChar32 next_code_point(std::string_view text, std::size_t& position) {
  UChar32 code_point = 0;
  U8_NEXT(text.data(), position, text.size(), code_point);
  return code_point;
}

/// Returns the code point that ends at `position` > 0 and moves `position` to its start. The text
/// must be valid.
inline UChar32 previous_code_point(std::string_view text, std::size_t& position) {
  do {
    --position;
  } while (position > 0 && U8_IS_TRAIL(text[position]));
  std::size_t next = position;
  return next_code_point(text, next);
}

/// The size of `text` without an incomplete character at its end.
inline std::size_t size_of_complete_characters(std::string_view text) {
  std::size_t size = text.size();
  U8_TRUNCATE_IF_INCOMPLETE(text.data(), 0, size);
  return size;
}

#pragma GCC diagnostic pop

}  // namespace elmo
