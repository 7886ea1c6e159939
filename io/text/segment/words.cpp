#include "io/text/segment/words.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/text/segment/characters.h"

namespace elmo {
namespace {

/// Signs after an address that do not belong to it.
constexpr std::u32string_view kAfterAddress = U".,;:!?'*\u2019\u2026";
/// Signs that never occur in an address.
constexpr std::u32string_view kNotInAddress = U"<>\"\u201C\u201D\u201E\u00AB\u00BB\u300C\u300D";
constexpr std::u32string_view kInAccount = U"._-+%";
/// Maximum number of characters of an account or host: above all real ones, and small enough to
/// bound the search.
constexpr std::size_t kMaxAddress = 320;

/// True for hiragana, which particles and endings are written in.
bool is_hiragana(char32_t c) { return c >= 0x3041 && c <= 0x309F; }

/// True if an address ends before `at`: at a sign that is neither ASCII nor part of a word, at
/// signs that belong to text, and before the letters of a script without blanks that follow an
/// ASCII letter or digit, or hiragana, as particles are, after a slash.
bool ends_address(const Chunk& chunk, std::size_t at) {
  constexpr char32_t kMiddleDot = 0xB7;  // par·lel
  const char32_t c = chunk.at(at);
  if (is_in(c, kNotInAddress)) return true;
  if (c < 0x80) return false;
  if (chunk.is_dictionary(at)) {
    const char32_t before = chunk.at(at - 1);
    return before < 0x80 && (chunk.is_word(at - 1) || (before == '/' && is_hiragana(c)));
  }
  if (chunk.kind(at) != CharacterKind::sign || c == kMiddleDot) return false;
  return !(chunk.is_apostrophe(at) && chunk.is_letter(at + 1));
}

/// Returns the end of the URL that contains position `at`.
std::size_t url_end(const Chunk& chunk, std::size_t at) {
  std::size_t end = at;
  std::size_t open = 0;
  while (end < chunk.size() && !ends_address(chunk, end)) {
    const char32_t c = chunk.at(end);
    if (c == '(' || c == '[') ++open;
    if (c == ')' || c == ']') {
      if (open == 0) break;
      --open;
    }
    ++end;
  }
  while (end > at && is_in(chunk.at(end - 1), kAfterAddress)) --end;
  return end;
}

/// Returns the end of the host of an e-mail address that begins at `at`.
std::size_t mail_host_end(const Chunk& chunk, std::size_t at) {
  while (chunk.is_word(at) ||
         ((chunk.is_sign(at, '.') || chunk.is_sign(at, '-')) && chunk.is_word(at + 1))) {
    ++at;
  }
  return at;
}

/// Returns the beginning of the last label of the host name [at, end); `at` if it has no other.
std::size_t last_label(const Chunk& chunk, std::size_t at, std::size_t end) {
  std::size_t label = end;
  while (label > at && chunk.at(label - 1) != '.') --label;
  return label;
}

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

bool is_upper(char32_t c) { return u_isupper(static_cast<UChar32>(c)) != 0; }
bool is_lower(char32_t c) { return u_islower(static_cast<UChar32>(c)) != 0; }

/// Returns the text of the last token, empty without tokens.
std::string_view last_token(const Chunk& chunk, const RuleTokens& tokens) {
  if (tokens.empty()) return {};
  const TextRange& range = tokens.back().range;
  return chunk.text().substr(range.begin, range.end - range.begin);
}

bool is_after_number(const RuleTokens& tokens) {
  return !tokens.empty() &&
         (tokens.back().kind == TokenKind::number || tokens.back().kind == TokenKind::ordinal);
}

/// True if a number, in digits or Roman numerals, follows the chunk. "I" is also a word.
bool is_before_number(Chunk& chunk) {
  if (u_isdigit(static_cast<UChar32>(chunk.next_character()))) return true;
  return is_upper(chunk.next_character()) && chunk.next_word() != "I" &&
         is_roman_number(chunk.next_word());
}

/// True if the word after the chunk, which begins with a capital, probably continues the sentence.
bool continues(Chunk& chunk, const TokenRules& rules) {
  return is_upper(chunk.next_character()) && !rules.sentence_openers.contains(chunk.next_word());
}

/// Returns the kind of a word in the lists that depend on what follows; nothing if they do not
/// decide. `chunk_ends`: nothing follows the full stop in the chunk.
std::optional<TokenKind> kind_before(Chunk& chunk, const TokenRules& rules,
                                     const RuleTokens& tokens, const std::string& word,
                                     bool chunk_ends) {
  const char32_t next = chunk.next_character();
  if (rules.number_abbreviations.contains(word) && chunk_ends && is_before_number(chunk)) {
    return TokenKind::abbreviation;
  }
  if (rules.name_abbreviations.contains(word) && is_upper(next) && !is_after_number(tokens)) {
    return TokenKind::abbreviation;
  }
  if (rules.inner_abbreviations.contains(word)) {
    const bool inside = !chunk_ends || (next != 0 && !is_upper(next));
    return inside ? TokenKind::abbreviation : TokenKind::word;
  }
  return std::nullopt;
}

/// Returns the kind of a word by the lists whose result does not depend on the next word.
std::optional<TokenKind> listed_kind(const TokenRules& rules, const std::string& word) {
  if (rules.final_abbreviations.contains(word)) return TokenKind::final_abbreviation;
  if (rules.abbreviations.contains(word)) return TokenKind::abbreviation;
  return std::nullopt;
}

/// True for letters separated by full stops, without a last one: U.S, e.g, J.-C
bool is_dotted(const Chunk& chunk, std::size_t first, std::size_t last) {
  for (std::size_t at = first; at < last; ++at) {
    const bool letter = chunk.is_letter(at);
    if (letter && at + 1 < last && chunk.is_letter(at + 1)) return false;
    if (!letter && !chunk.is_sign(at, '.') && !chunk.is_sign(at, '-')) return false;
  }
  return true;
}

/// True for abbreviations that are glued together: எம்.ஜி.ஆர்
bool are_abbreviations(const TokenRules& rules, std::string_view word) {
  if (word.find('.') == std::string_view::npos) return false;
  for (;;) {
    const std::size_t end = std::min(word.find('.'), word.size());
    if (!rules.abbreviations.contains(std::string(word.substr(0, end)))) return false;
    if (end == word.size()) return true;
    word.remove_prefix(end + 1);
  }
}

/// True for the C and F of °C and °F.
bool is_degree(const Chunk& chunk, const RuleTokens& tokens, std::size_t at) {
  constexpr std::string_view kDegree = "\u00B0";
  return at > 0 ? chunk.is_sign(at - 1, 0xB0) : last_token(chunk, tokens) == kDegree;
}

/// True for a letter without vowel signs of an Indic script, which has no capitals.
bool is_indic_letter(const Chunk& chunk, std::size_t at) {
  const char32_t c = chunk.at(at);
  constexpr char32_t kFirst = 0x0900;
  constexpr char32_t kLast = 0x0DFF;
  constexpr std::size_t kBytes = 3;
  return c >= kFirst && c <= kLast && chunk.is_letter(at) &&
         chunk.bytes(at, at + 1).size() == kBytes;
}

/// Returns the kind of a single letter with a full stop: an initial is an abbreviation.
TokenKind kind_of_letter(Chunk& chunk, std::size_t at, bool chunk_ends) {
  const auto next = static_cast<UChar32>(chunk.next_character());
  const bool capital = is_upper(chunk.at(at)) && (u_isalpha(next) || u_ispunct(next));
  const bool indic = is_indic_letter(chunk, at) && u_isalpha(next);
  return chunk_ends && (capital || indic) ? TokenKind::abbreviation : TokenKind::word;
}

}  // namespace

std::size_t address_end(const Chunk& chunk, const TokenRules& rules, std::size_t at) {
  if (at > 0 && chunk.is_word(at - 1)) return at;
  std::size_t end = at;
  bool has_dot = false;
  while (chunk.is_word(end) || (end < chunk.size() && is_in(chunk.at(end), kInAccount))) {
    if (end - at > kMaxAddress) return at;
    has_dot = has_dot || chunk.at(end) == '.';
    ++end;
  }
  if (end == at) return at;
  if (chunk.is_sign(end, ':') && chunk.is_sign(end + 1, '/') && chunk.is_sign(end + 2, '/') &&
      end + 3 < chunk.size() && !has_dot && chunk.is_letter(at)) {
    return url_end(chunk, end + 3);
  }
  if (chunk.is_sign(end, '@') && chunk.is_word(at) && chunk.is_word(end + 1)) {
    return mail_host_end(chunk, end + 1);
  }
  if (!has_dot || !chunk.is_word(at)) return at;
  while (end > at && !chunk.is_word(end - 1)) --end;  // excludes a trailing full stop
  const std::size_t label = last_label(chunk, at, end);
  if (label == at) return at;
  const bool known = rules.domains.contains(std::u32string(chunk.folded(label, end)));
  const bool www = chunk.folded(at, std::min(at + 4, end)) == U"www.";
  if ((!www && !known) || !chunk.is_word(label - 2)) return at;
  if (chunk.is_sign(end, '/') || (chunk.is_sign(end, ':') && chunk.is_digit(end + 1))) {
    return url_end(chunk, end);
  }
  return end;
}

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

bool is_listed(const Chunk& chunk, const TokenRules& rules, std::size_t first, std::size_t last) {
  const std::string word = chunk.word(first, last);
  return listed_kind(rules, word) || rules.inner_abbreviations.contains(word) ||
         rules.number_abbreviations.contains(word);
}

TokenKind kind_with_full_stop(Chunk& chunk, const TokenRules& rules, const RuleTokens& tokens,
                              std::size_t first, std::size_t last) {
  std::string word = chunk.word(first, last);
  const char32_t next = chunk.next_character();
  const bool chunk_ends = last + 1 >= chunk.size();
  if (last - first == 1 && is_degree(chunk, tokens, first)) return TokenKind::word;
  if (const auto kind = kind_before(chunk, rules, tokens, word, chunk_ends)) return *kind;
  if (const auto kind = listed_kind(rules, word)) return *kind;
  if (last - first == 1) return kind_of_letter(chunk, first, chunk_ends);
  if (!word.empty() && static_cast<unsigned char>(word.front()) < 0x80) {
    word.front() = static_cast<char>(fold_character(static_cast<char32_t>(word.front())));
    if (const auto kind = listed_kind(rules, word)) return *kind;
  }
  if (rules.roman_ordinals && chunk_ends && is_roman_number(chunk.bytes(first, last)) &&
      (is_lower(next) || continues(chunk, rules))) {
    return TokenKind::ordinal;
  }
  const bool dotted = is_dotted(chunk, first, last) || are_abbreviations(rules, word);
  return dotted ? TokenKind::abbreviation : TokenKind::word;
}

TokenKind kind_of_number_with_full_stop(Chunk& chunk, const TokenRules& rules,
                                        const RuleTokens& tokens, std::size_t first,
                                        std::size_t last, bool begins_item) {
  constexpr std::size_t kOrdinalDigits = 3;
  constexpr std::size_t kYearDigits = 4;
  const std::size_t digits = last - first;
  if (!rules.ordinals || digits > kYearDigits || last + 1 < chunk.size()) return TokenKind::word;
  const char32_t next = chunk.next_character();
  if (next == 0) return TokenKind::word;
  if (is_lower(next)) return TokenKind::ordinal;
  const auto follows = [&chunk, &rules, &tokens] {
    return !rules.before_ordinal.empty() && continues(chunk, rules) &&
           rules.before_ordinal.contains(lower_case(last_token(chunk, tokens)));
  };
  const bool known = begins_item || rules.after_ordinal.contains(chunk.next_word()) || follows();
  return known && digits <= kOrdinalDigits ? TokenKind::ordinal : TokenKind::word;
}

}  // namespace elmo
