// Token and sentence rules of a language, and the files that define them (TEXT.md, "Rule files").
// The files in languages/ are compiled into the program.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/enum_table.h"

namespace elmo {

/// A file languages/NAME.txt, for all languages ("all"), a language ("de") or a script ("Latn").
struct LanguageFile {
  std::string_view name;
  std::string_view text;
};

extern const std::span<const LanguageFile> kLanguageFiles;

/// A set of signs. Rules add and look up folded ones (fold_character).
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

/// Patterns of words. A pattern is a sequence of characters, with optional stars at one end. Each
/// star matches one character, the outermost any number of further ones. `|` marks a cut: `do|n't`,
/// `*|'s`, `l'|*`, `***ar|se`. Matching ignores case; all apostrophes are equal, and 0 matches any
/// ASCII digit. Combining marks are not compared.
class WordPatterns {
 public:
  /// A longer word matches no pattern.
  static constexpr std::size_t kMaxCharacters = 48;

  /// The cuts of a match, ascending: the number of characters before each.
  using Cuts = std::vector<std::uint8_t>;

  /// Adds a pattern. Returns the problem with `pattern`; empty if it is valid.
  std::string add(std::u32string_view pattern);

  /// The position of a pattern's text in the word.
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
  std::bitset<kFilterBits> last_two_;   // last two characters of words and ends
  std::bitset<kFilterBits> first_two_;  // first two characters of beginnings
  bool need_signs_ = true;
};

/// Returns a character in lower case; any apostrophe as U+0027, any hyphen as U+002D, any ASCII
/// digit as 0.
char32_t fold_character(char32_t character);

/// The position where a word without a matching pattern is cut at an apostrophe between letters.
enum class Apostrophe {
  keep,   ///< nowhere
  left,   ///< after it: l'|homme
  right,  ///< before it: John|'s
  split   ///< on both sides
};

inline constexpr auto kApostrophes = enum_table<Apostrophe>({{"keep", Apostrophe::keep},
                                                             {"left", Apostrophe::left},
                                                             {"right", Apostrophe::right},
                                                             {"split", Apostrophe::split}});

/// The two tokenization conventions.
enum class TokenStyle {
  ud,    ///< Universal Dependencies
  moses  ///< the tokenizer of the Moses toolkit
};

inline constexpr auto kTokenStyles =
    enum_table<TokenStyle>({{"ud", TokenStyle::ud}, {"moses", TokenStyle::moses}});

/// Revision of the rules in languages/, of the code that applies them, and of FreeTextReader. Raise
/// it with every change that gives some text other tokens or sentences.
inline constexpr int kTokenRulesRevision = 1;

/// Everything that differs between languages. Each member is a key of a rule file, documented in
/// TEXT.md.
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

  // Stored without their last full stop.
  Words abbreviations;
  Words final_abbreviations;
  Words inner_abbreviations;
  Words number_abbreviations;
  std::vector<std::string> final_endings;
  SignSet final_before_capital;

  // The same for all languages.
  std::vector<std::u32string> emoticons;       // longest first, without combining marks
  std::unordered_set<std::u32string> domains;  // folded
};

/// Adds the rules of `text`, a rule file, to `rules`. `name` is used in errors. Only the keys
/// before the first section and in the section of rules.style apply. InputError, naming line and
/// remedy, for an invalid rule.
void add_token_rules(TokenRules& rules, std::string_view text, const std::string& name);

/// Returns the rules of `style` for a locale from canonical_locale(): the rules for all languages,
/// the rules in its language's file, if any, and CLDR's abbreviations.
TokenRules rules_of_locale(TokenStyle style, const std::string& locale);

/// The same with a user's file instead of the language's file. The file sets the style, as in
/// `style: moses`.
TokenRules rules_of_file(std::string_view text, const std::string& name, const std::string& locale);

}  // namespace elmo
