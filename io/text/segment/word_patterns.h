// Patterns of words, and the characters that they do not distinguish.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/text.h"

namespace elmo {

/// Patterns of words. A pattern is a sequence of characters, with optional stars at one end. Each
/// star matches one character, the outermost any number of further ones. `|` marks a cut: `do|n't`,
/// `*|'s`, `l'|*`, `***ar|se`. Matching ignores case; all apostrophes are equal, and 0 matches any
/// ASCII digit. Combining marks are not compared.
class WordPatterns {
 public:
  /// A longer word matches no pattern.
  static constexpr std::size_t kMaxCharacters = 48;

  /// The cuts of a match: the number of characters before each, in ascending order.
  using Cuts = std::vector<std::uint8_t>;

  /// Adds a pattern. Returns what is wrong with `pattern`; empty if it is valid.
  std::string add(std::u32string_view pattern);

  /// Where the text of a pattern occurs in the word.
  enum class Match { none, whole, end, beginning };

  /// Finds the pattern that matches `word`, which must be folded (fold_character): first the whole
  /// word, then the longest end, then the longest beginning.
  Match match(std::u32string_view word, Cuts& cuts) const;

  /// True if every pattern contains a sign, so that words of letters cannot match.
  bool need_signs() const { return need_signs_; }

 private:
  struct Part {
    std::uint8_t stars = 0;
    std::uint8_t cut = 0;  // characters after the cut (of ends) or before it (of beginnings)
    bool has_cut = false;
  };
  template <typename Value>
  using Map = TextMap<Value, std::u32string>;

  static constexpr std::size_t kFilterBits = 4096;
  static std::size_t filter_bit(std::u32string_view ending);

  Map<Cuts> whole_;
  Map<Part> ends_;
  Map<Part> beginnings_;
  std::size_t longest_end_ = 0;
  std::size_t longest_beginning_ = 0;
  std::bitset<kFilterBits> last_two_;   // last two characters of words and ends
  std::bitset<kFilterBits> first_two_;  // first two characters of beginnings
  bool need_signs_ = true;
};

/// Returns a character in lower case; any apostrophe as U+0027, any hyphen as U+002D, any ASCII
/// digit as 0.
char32_t fold_character(char32_t character);

/// True for a sign that is typed for an apostrophe between letters and means something else
/// elsewhere: an acute or a grave accent, a prime, or a reversed quotation mark.
constexpr bool is_apostrophe_between_letters(char32_t character) {
  return character == U'`' || character == 0xB4 || character == 0x2B9 || character == 0x2032 ||
         character == 0x201B;
}

}  // namespace elmo
