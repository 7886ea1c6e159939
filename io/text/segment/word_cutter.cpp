#include "io/text/segment/word_cutter.h"

#include <unicode/uchar.h>

#include <cstdint>
#include <string_view>

namespace elmo {
namespace {

/// True if the full stop at `at` ends a sentence and the blank after it is missing: a small letter,
/// the full stop, a capital and a small letter. The word begins at `word`.
bool is_missing_space(const Chunk& chunk, std::size_t word, std::size_t at) {
  const auto lower = [&chunk](std::size_t letter) {
    return chunk.is_letter(letter) && u_islower(static_cast<UChar32>(chunk.at(letter)));
  };
  constexpr std::size_t kMinLetters = 3;
  return at - word >= kMinLetters && lower(at - 1) && lower(at - 2) && chunk.is_letter(at + 1) &&
         u_isupper(static_cast<UChar32>(chunk.at(at + 1))) &&
         (lower(at + 2) || !chunk.is_word(at + 2));
}

/// True if a pattern of `join` matches the parts of the word on both sides of the sign at `at`, or
/// the whole word.
bool joins_parts(const Chunk& chunk, const TokenRules& rules, std::size_t word, std::size_t at) {
  constexpr std::size_t kMax = WordPatterns::kMaxCharacters;
  std::size_t first = at;
  while (first > word && chunk.is_word(first - 1) && at - first < kMax) --first;
  std::size_t last = at + 1;
  while (chunk.is_word(last) && last - at < kMax) ++last;
  WordPatterns::Cuts none;
  using Match = WordPatterns::Match;
  if (rules.join.match(chunk.folded(first, last), none) != Match::none) return true;
  if (at - word > kMax) return false;
  while (last - word < kMax &&
         (chunk.is_word(last) || (chunk.is_word(last + 1) && chunk.is_hyphen(last)))) {
    ++last;
  }
  return rules.join.match(chunk.folded(word, last), none) == Match::whole;
}

/// True if the sign at `at` joins the words on both sides. The word begins at `word`.
bool joins(const Chunk& chunk, const TokenRules& rules, std::size_t word, std::size_t at) {
  const char32_t sign = chunk.folded_at(at);
  const bool letter_before = chunk.is_letter(at - 1);
  const bool letter_after = chunk.is_letter(at + 1);
  if (sign == '.' && is_missing_space(chunk, word, at)) return false;
  const SignSet& signs = letter_before && letter_after   ? rules.between_letters
                         : letter_before || letter_after ? rules.between_mixed
                                                         : rules.between_digits;
  return signs.contains(sign) || joins_parts(chunk, rules, word, at);
}

/// True for a dotted letter before a hyphen: J.-C.
bool is_hyphenated_initial(const Chunk& chunk, std::size_t word, std::size_t at) {
  return at - word == 1 && chunk.is_sign(at, '.') && chunk.is_sign(at + 1, '-') &&
         chunk.is_letter(at + 2);
}

/// True for the hyphen of a word that is cut off before a slash: touko-/kesäkuussa.
bool is_cut_off_before_slash(const Chunk& chunk, const TokenRules& rules, std::size_t at) {
  return chunk.is_sign(at, '-') && chunk.is_sign(at + 1, '/') && chunk.is_letter(at + 2) &&
         rules.after_letters.contains('-') && rules.between_letters.contains('/');
}

/// True for the ending of a percentage that `join` lists: 10%-os.
bool is_percentage(const Chunk& chunk, const TokenRules& rules, std::size_t at) {
  constexpr std::size_t kSize = 3;
  if (!chunk.is_sign(at, '%') || !chunk.is_digit(at - 1) || !chunk.is_letter(at + 2)) return false;
  WordPatterns::Cuts none;
  return rules.join.match(chunk.folded(at, at + kSize), none) == WordPatterns::Match::beginning;
}

}  // namespace

std::size_t word_end(const Chunk& chunk, const TokenRules& rules, std::size_t at) {
  std::size_t end = at;
  for (;;) {
    while (chunk.is_word(end)) ++end;
    if (end == at || end == chunk.size()) return end;
    if (chunk.is_word(end + 1) && joins(chunk, rules, at, end)) {
      end += 2;
    } else if (is_hyphenated_initial(chunk, at, end) ||
               is_cut_off_before_slash(chunk, rules, end) || is_percentage(chunk, rules, end)) {
      end += 3;
    } else {
      return end;
    }
  }
}

void WordCutter::add(const Chunk& chunk, std::size_t first, std::size_t last, RuleTokens& tokens) {
  using Match = WordPatterns::Match;
  while (last - first <= WordPatterns::kMaxCharacters) {
    const std::u32string_view word = chunk.folded(first, last);
    if (rules_.keep.match(word, cuts_) != Match::none) break;
    const Match match = rules_.split.match(word, cuts_);
    if (match == Match::none) return add_cut_at_apostrophe(chunk, first, last, tokens);
    if (match == Match::end) {
      const std::size_t cut = first + cuts_[0];
      add(chunk, first, cut, tokens);
      return add_token(chunk, cut, last, TokenKind::word, tokens);
    }
    const std::size_t begin = first;
    for (const std::uint8_t cut : cuts_) {
      add_token(chunk, first, begin + cut, TokenKind::word, tokens);
      first = begin + cut;
    }
    if (match == Match::whole) break;
  }
  add_token(chunk, first, last, TokenKind::word, tokens);
}

/// Adds a word that no pattern matches.
void WordCutter::add_cut_at_apostrophe(const Chunk& chunk, std::size_t first, std::size_t last,
                                       RuleTokens& tokens) {
  if (rules_.apostrophe != Apostrophe::keep) {
    for (std::size_t at = first + 1; at + 1 < last; ++at) {
      if (!chunk.is_apostrophe(at) || !chunk.is_letter(at - 1) || !chunk.is_letter(at + 1)) {
        continue;
      }
      const std::size_t before = rules_.apostrophe == Apostrophe::left ? at + 1 : at;
      const std::size_t after = rules_.apostrophe == Apostrophe::right ? at : at + 1;
      add_token(chunk, first, before, TokenKind::word, tokens);
      if (before < after) add_token(chunk, before, after, TokenKind::sign, tokens);
      return add(chunk, after, last, tokens);
    }
  }
  add_token(chunk, first, last, TokenKind::word, tokens);
}

}  // namespace elmo
