// Full stops: what one means after a word (an abbreviation, an initial, an ordinal, or none of
// these), and those of dates and Roman numerals.
#pragma once

#include <cstddef>
#include <string_view>

#include "io/text/segment/chunk.h"
#include "io/text/segment/rule_token.h"
#include "io/text/segment/token_rules.h"

namespace elmo {

/// Returns the kind of the word [first, last) together with the full stop after it; `word` if the
/// full stop is a token of its own. `tokens` are those before the word.
TokenKind kind_with_full_stop(Chunk& chunk, const TokenRules& rules, const RuleTokens& tokens,
                              std::size_t first, std::size_t last);

/// True if [first, last) is a listed abbreviation without its full stop.
bool is_listed(const Chunk& chunk, const TokenRules& rules, std::size_t first, std::size_t last);

/// The same for digits. `begins_item`: they begin a sentence or a line, so that they may number an
/// item.
TokenKind kind_of_number_with_full_stop(Chunk& chunk, const TokenRules& rules,
                                        const RuleTokens& tokens, std::size_t first,
                                        std::size_t last, bool begins_item);

/// True if the full stop `at` is part of a date that is written with blanks: 9. 10. 2013 or 2008.
/// 5. 3.
bool is_date_stop(const TokenView& tokens, std::size_t at);

/// True for a number from I to XXXIX in capitals: those of kings, centuries and chapters. Larger
/// ones look like abbreviations (CD, DC, MM).
constexpr bool is_roman_number(std::string_view word) {
  std::string_view rest = word;
  for (int tens = 0; tens < 3 && rest.starts_with('X'); ++tens) rest.remove_prefix(1);
  for (const std::string_view ones : {"IX", "IV", "VIII", "VII", "VI", "V", "III", "II", "I", ""}) {
    if (rest == ones) return !word.empty();
  }
  return false;
}

}  // namespace elmo
