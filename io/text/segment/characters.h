// Properties of characters, and text without white space or case.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace elmo {

/// True if `characters` has a code point.
inline bool is_in(char32_t code_point, std::u32string_view characters) {
  return characters.find(code_point) != std::u32string_view::npos;
}
inline bool is_in(std::int32_t code_point, std::u32string_view characters) {
  return is_in(static_cast<char32_t>(code_point), characters);
}

/// True if `text` has no byte above 0x7F.
inline bool is_ascii(std::string_view text) {
  unsigned bits = 0;
  for (const char letter : text) bits |= static_cast<unsigned char>(letter);
  return bits < 0x80U;
}

/// True if a code point has the property White_Space or is one of U+001C to U+001F, which Python's
/// str.strip() and str.split() also remove.
bool is_white_space(std::int32_t code_point);

/// Returns `text`, valid UTF-8, without the white space at both ends.
std::string_view without_outer_white_space(std::string_view text);

/// Returns `line` without the blanks at both ends: spaces, tabs and carriage returns.
std::string_view without_outer_blanks(std::string_view line);

/// True if `line` has nothing but these blanks.
inline bool is_blank_line(std::string_view line) { return without_outer_blanks(line).empty(); }

/// True if a code point is a letter (General_Category L) or has a numeric value. These are the
/// characters that \w matches in Python's regular expressions, without the underscore. False for
/// marks.
bool is_letter_or_number(std::int32_t code_point);

/// True for an invisible character (Default_Ignorable_Code_Point), such as a soft hyphen or a
/// variation selector.
bool is_invisible(std::int32_t code_point);

/// True for the values of Grapheme_Cluster_Break of combining marks and joiners.
bool extends_character(std::int32_t cluster_break);

/// True for a character that belongs to the one before it: a combining mark, a joiner or an
/// invisible character.
bool belongs_to_character_before(std::int32_t code_point);

/// Returns canonical_form() without invisible characters: words that look alike become equal. Any
/// thread.
std::string composed(std::string_view text);

/// True if `text`, valid UTF-8, is in Normalization Form C, in which canonically equivalent texts
/// are equal. Any thread.
bool is_canonical(std::string_view text);

/// Returns `text`, valid UTF-8, in this form. Any thread.
std::string canonical_form(std::string_view text);

/// Returns `text`, valid UTF-8, without invisible characters. Any thread.
std::string without_invisible(std::string_view text);

/// Returns a letter without its accents: a for á. Any thread.
std::int32_t base_letter(std::int32_t letter);

/// Returns `text` with its case folded (The Unicode Standard 15, section 3.13, toCasefold) and in
/// Normalization Form C: texts that differ only in case, or are canonically equivalent, become
/// equal. Invalid UTF-8 becomes U+FFFD. Any thread.
std::string fold_case(std::string_view text);

/// Returns `text`, valid UTF-8, in lower case by Unicode's language-independent rules. Any thread.
std::string lower_case(std::string_view text);

/// Returns `text`, valid UTF-8, in upper case by the same rules. Any thread.
std::string upper_case(std::string_view text);

/// True for an ISO 15924 code that script_of() can return. False for codes of several scripts, such
/// as "Jpan", which is Hira, Kana and Hani. Any thread.
bool is_script(const std::string& code);

/// Returns the ISO 15924 code ("Latn", "Hang") of the first character that has a script of its own.
/// Empty for a word without one, such as a number. The word must be valid UTF-8.
std::string script_of(std::string_view word);

}  // namespace elmo
