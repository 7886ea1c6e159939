// Steps over the characters (code points) of tokens.
#pragma once

#include <cstddef>
#include <string_view>

namespace elmo {

/// The code point at `position` < text.size(), which moves behind it. Text is valid UTF-8; a byte
/// that is none of a character counts as U+FFFD. Any thread.
char32_t decode_character(std::string_view text, std::size_t& position);

/// How many characters `text` has.
std::size_t count_characters(std::string_view text);

/// The first `count` characters of `text`, all where it has fewer.
std::string_view first_characters(std::string_view text, std::size_t count);

}  // namespace elmo
