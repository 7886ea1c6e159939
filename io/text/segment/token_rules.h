// Token and sentence rules of a language, and the files that define them (RULES.md).
// The files in languages/ are compiled into the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/enum_table.h"
#include "io/text/segment/rule_sets.h"
#include "io/text/segment/word_cuts.h"

namespace elmo {

/// A file languages/NAME.txt, for all languages ("all"), a language ("de") or a script ("Latn").
struct LanguageFile {
  std::string_view name;
  std::string_view text;
};

extern const std::span<const LanguageFile> kLanguageFiles;

/// Where a word without a matching pattern is cut at an apostrophe between letters.
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
inline constexpr int kTokenRulesRevision = 3;

/// The first revision that nearly agrees with this one. Revision 1 has other tokens in 0.3 % of the
/// sentences of treebanks. Models that were trained with an earlier one get a warning.
inline constexpr int kLeastTokenRules = 1;

/// Everything that differs between languages. Each member is a key of a rule file, documented in
/// RULES.md.
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
  CutWeights cut_weights;
  Contractions contractions;
  bool full_stop_apart = false;
  bool digit_groups = false;
  Words units;
  bool ordinals = false;
  bool roman_ordinals = false;
  Words after_ordinal;
  Words before_ordinal;
  Words sentence_openers;
  SignSet after_digits;

  // Stored without their last full stop.
  Words abbreviations;
  Words final_abbreviations;
  Words inner_abbreviations;
  Words number_abbreviations;
  Words name_abbreviations;
  Words headings;
  SpacedAbbreviations spaced_abbreviations;
  Affixes final_endings;
  Affixes after_quotation;
  SignSet final_before_capital;
  Words final_signs;
  Words inner_signs;

  // The same for all languages.
  Emoticons emoticons;
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
