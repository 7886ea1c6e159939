// Iteration over the characters (code points) of tokens.
#pragma once

#include <cstddef>
#include <string_view>

namespace elmo {

/// Returns the code point at `position` < text.size() and moves `position` past it. `text` is valid
/// UTF-8; a byte that is not part of a character counts as U+FFFD. Any thread.
char32_t decode_character(std::string_view text, std::size_t& position);

/// Returns the number of characters in `text`.
std::size_t count_characters(std::string_view text);

/// Returns the first `count` characters of `text`, or all if it has fewer.
std::string_view first_characters(std::string_view text, std::size_t count);

}  // namespace elmo
