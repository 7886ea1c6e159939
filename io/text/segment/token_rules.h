// Rules for the tokens and sentences of a language, and the files that hold them (TEXT.md, "Rule
// files").
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/enum_table.h"

namespace elmo {

/// A set of signs, by code point.
class SignSet {
 public:
  void add(char32_t sign);
  bool contains(char32_t sign) const {
    return sign < kAscii ? ascii_[sign] : others_.find(sign) != std::u32string::npos;
  }

 private:
  static constexpr char32_t kAscii = 128;
  std::bitset<kAscii> ascii_;
  std::u32string others_;
};

/// Patterns of words: characters, at one end perhaps stars. Each star stands for one character, the
/// outer one for any number of further ones. `|` marks a cut: `do|n't`, `*|'s`, `l'|*`, `***ar|se`.
/// Matching ignores case; all apostrophes are alike, and 0 stands for any digit.
class WordPatterns {
 public:
  /// Longer words match no pattern.
  static constexpr std::size_t kMaxCharacters = 48;

  /// A match: the characters before each cut, in ascending order.
  using Cuts = std::vector<std::uint8_t>;

  /// Returns what is wrong with `pattern`; empty if nothing is.
  std::string add(std::u32string_view pattern);

  /// Where the text of a pattern is in the word that it matches.
  enum class Match { none, whole, end, beginning };

  /// Finds the pattern that matches `word`, which is folded (fold_character): the whole word first,
  /// then the longest end, then the longest beginning.
  Match match(std::u32string_view word, Cuts& cuts) const;

  /// Whether no pattern is without a sign, so that words of letters cannot match.
  bool need_signs() const { return need_signs_; }

 private:
  struct Part {
    std::uint8_t stars = 0;
    std::uint8_t cut = 0;  // characters behind the cut (of ends) or before it (of beginnings)
    bool has_cut = false;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::u32string_view text) const {
      return std::hash<std::u32string_view>{}(text);
    }
  };
  template <typename Value>
  using Map = std::unordered_map<std::u32string, Value, Hash, std::equal_to<>>;

  static constexpr std::size_t kFilterBits = 4096;
  static std::size_t filter_bit(std::u32string_view ending);

  Map<Cuts> whole_;
  Map<Part> ends_;
  Map<Part> beginnings_;
  std::size_t longest_end_ = 0;
  std::size_t longest_beginning_ = 0;
  std::bitset<kFilterBits> last_two_;   // characters of words and ends
  std::bitset<kFilterBits> first_two_;  // characters of beginnings
  bool need_signs_ = true;
};

/// A character in lower case; any apostrophe as U+0027, any hyphen as U+002D, any digit as 0.
char32_t fold_character(char32_t character);

/// Where a word is cut at an apostrophe between letters that no pattern knows.
enum class Apostrophe {
  keep,   ///< nowhere
  left,   ///< behind it: l'|homme
  right,  ///< before it: John|'s
  split   ///< at both sides
};

inline constexpr auto kApostrophes = enum_table<Apostrophe>({{"keep", Apostrophe::keep},
                                                             {"left", Apostrophe::left},
                                                             {"right", Apostrophe::right},
                                                             {"split", Apostrophe::split}});

/// The two conventions that tokens follow.
enum class TokenStyle {
  ud,    ///< Universal Dependencies
  moses  ///< the tokenizer of the Moses toolkit
};

inline constexpr auto kTokenStyles =
    enum_table<TokenStyle>({{"ud", TokenStyle::ud}, {"moses", TokenStyle::moses}});

/// Revision of the rules in languages/ and of the code that follows them. A change that gives any
/// text other tokens or other sentences raises it.
inline constexpr int kTokenRulesRevision = 1;

/// All that differs between languages. Each member is a key of a rule file, which TEXT.md explains.
struct TokenRules {
  using Words = std::unordered_set<std::string>;

  TokenStyle style = TokenStyle::ud;

  WordPatterns split;
  WordPatterns keep;
  WordPatterns join;
  SignSet between_letters;
  SignSet between_digits;
  SignSet between_mixed;
  SignSet before_letters;
  SignSet before_digits;
  SignSet after_letters;
  SignSet single;
  Apostrophe apostrophe = Apostrophe::keep;
  bool dictionary = true;
  bool full_stop_apart = false;
  bool digit_groups = false;
  bool ordinals = false;
  Words after_ordinal;

  // Without their last full stop.
  Words abbreviations;
  Words final_abbreviations;
  Words inner_abbreviations;
  Words number_abbreviations;
  std::vector<std::string> final_endings;
  SignSet final_before_capital;

  // Of all languages.
  std::vector<std::u32string> emoticons;  // the longest first
  Words domains;
};

/// Adds the rules of `text`, a rule file, to `rules`. `name` is for errors. Keys before the first
/// section and in the section of rules.style count. InputError, naming line and remedy, for what is
/// not a rule.
void add_token_rules(TokenRules& rules, std::string_view text, const std::string& name);

/// The rules of `style` for a locale as from canonical_locale(): those of all languages, of its
/// language's file where there is one, and CLDR's abbreviations.
TokenRules rules_of_locale(TokenStyle style, const std::string& locale);

/// The same with a user's file instead of the language's. The file says the style (`style: moses`).
TokenRules rules_of_file(std::string_view text, const std::string& name, const std::string& locale);

/// Languages with a file of their own, as in "de", in ascending order.
std::vector<std::string> languages_with_rules();

}  // namespace elmo
