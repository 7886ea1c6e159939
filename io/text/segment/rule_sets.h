// The values of a language's rules: sets of signs and of parts of words, patterns of words, and
// contractions. Looking something up takes a time that does not depend on the size of the set.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/text.h"

namespace elmo {

/// Returns a character in lower case; any apostrophe as U+0027, any hyphen as U+002D, any ASCII
/// digit as 0.
char32_t fold_character(char32_t character);

/// True for a sign that is typed for an apostrophe between letters and means something else
/// elsewhere: an acute or a grave accent, a prime, or a reversed quotation mark.
constexpr bool is_apostrophe_between_letters(char32_t character) {
  return character == U'`' || character == 0xB4 || character == 0x2B9 || character == 0x2032 ||
         character == 0x201B;
}

/// A set of signs. Rules add and look up folded ones (fold_character).
class SignSet {
 public:
  void add(char32_t sign);
  bool contains(char32_t sign) const {
    return sign < kAscii ? ascii_[sign] : !others_.empty() && others_.contains(sign);
  }

 private:
  static constexpr char32_t kAscii = 128;
  std::bitset<kAscii> ascii_;
  std::unordered_set<char32_t> others_;
};

/// Emoticons, found by their first character and their sizes.
class Emoticons {
 public:
  static constexpr std::size_t kMaxCharacters = 16;
  using Sizes = std::bitset<kMaxCharacters + 1>;

  /// Adds one of 1 to kMaxCharacters characters, without combining marks.
  void add(const std::u32string& emoticon);

  /// Returns the sizes of those that begin with a character, as a set of bits.
  Sizes sizes(char32_t first) const {
    if (first < ascii_.size()) return ascii_[first];
    const auto found = others_.find(first);
    return found == others_.end() ? Sizes() : found->second;
  }

  bool contains(const std::u32string& emoticon) const { return all_.contains(emoticon); }

 private:
  std::unordered_set<std::u32string> all_;
  // By first character.
  std::array<Sizes, 128> ascii_;
  std::unordered_map<char32_t, Sizes> others_;
};

/// Beginnings or endings of words, found by their sizes.
class Affixes {
 public:
  static constexpr std::size_t kMaxBytes = 64;

  /// Adds one of at most kMaxBytes bytes.
  void add(const std::string& affix);

  bool empty() const { return all_.empty(); }

  /// True if `word` ends with one of them and is longer.
  bool end(std::string_view word) const;

  /// True if `text` begins with one of them.
  bool begin(std::string_view text) const;

 private:
  std::unordered_set<std::string> all_;
  std::bitset<kMaxBytes + 1> sizes_;
};

/// Abbreviations of several parts that may be written with blanks: z. B., EE. UU., e . V .
class SpacedAbbreviations {
 public:
  /// Adds an abbreviation, without its last full stop, if it has several parts: "z.B".
  void add(const std::string& abbreviation);

  struct Match {
    std::string whole;     ///< the abbreviation without its last full stop; empty: none
    std::size_t size = 0;  ///< of the other parts in the text
  };

  /// Returns the abbreviation whose first part is `first`, if the text after that and its full stop
  /// begins with the other parts.
  Match match(const std::string& first, std::string_view after) const;

 private:
  static constexpr std::size_t kMaxParts = 8;
  std::unordered_map<std::string, std::vector<std::string>> rest_;  // by first part
};

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

/// The contractions of a language. An entry names a whole word (`du=de|le`), or an ending and, with
/// a star, what is before it (`*ándose=*ando|se`). Case does not matter, and all apostrophes are
/// alike.
class Contractions {
 public:
  /// The longest word or ending, in characters.
  static constexpr std::size_t kMaxCharacters = 16;

  /// Adds an entry of valid UTF-8. Returns what is wrong with it; empty if it is valid.
  std::string add(std::string_view entry);

  bool empty() const { return whole_.empty() && endings_.empty(); }

  /// Returns the words that `token`, valid UTF-8, stands for: by its whole entry, else by that of
  /// its longest ending. Empty if it is no contraction. The case is that of the token: Du is De le,
  /// DU is DE LE. Any thread.
  std::vector<std::string> words_of(std::string_view token) const;

 private:
  // By their folded characters. The first word of an ending lacks its star.
  std::unordered_map<std::u32string, std::vector<std::string>> whole_;
  std::unordered_map<std::u32string, std::vector<std::string>> endings_;
};

}  // namespace elmo
