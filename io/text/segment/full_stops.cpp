#include "io/text/segment/full_stops.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <optional>
#include <string>

#include "io/text/segment/characters.h"

namespace elmo {
namespace {

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

constexpr int kMaxDay = 31;
constexpr int kMaxMonth = 12;

/// Returns the number of at most four ASCII digits that token `at` is.
std::optional<int> number_at(const TokenView& tokens, std::size_t at) {
  constexpr std::size_t kMaxLength = 4;
  if (at >= tokens.size()) return std::nullopt;
  std::string_view text = tokens.text(at);
  if (text.ends_with('.')) text.remove_suffix(1);  // an ordinal's
  if (text.empty() || text.size() > kMaxLength) return std::nullopt;
  int number = 0;
  for (const char digit : text) {
    if (digit < '0' || digit > '9') return std::nullopt;
    number = number * 10 + (digit - '0');
  }
  return number;
}

/// The numbers around a full stop that are joined by full stops.
class Date {
 public:
  Date(const TokenView& tokens, std::size_t stop) : tokens_(tokens), stop_(stop) {}

  /// True if the number `distance` numbers after the full stop (0: the one before it) is from
  /// `least` to `most`, and a full stop follows if it is not the last.
  bool has(int distance, int least, int most) const {
    const auto at = static_cast<std::ptrdiff_t>(stop_) - 1 + 2 * distance;
    if (at < 0) return false;
    const std::optional<int> number = number_at(tokens_, static_cast<std::size_t>(at));
    return number && *number >= least && *number <= most;
  }

  /// True if a full stop is after that number, without a blank.
  bool has_stop(int distance) const {
    const auto at = static_cast<std::ptrdiff_t>(stop_) + 2 * distance;
    if (at < 0 || static_cast<std::size_t>(at) >= tokens_.size()) return false;
    const auto stop = static_cast<std::size_t>(at);
    return tokens_.text(stop) == "." && !tokens_.is_apart(stop);
  }

  bool day(int distance) const { return has(distance, 1, kMaxDay); }
  bool month(int distance) const { return has(distance, 1, kMaxMonth); }
  bool year(int distance) const { return has(distance, 1000, 2999); }

 private:
  const TokenView& tokens_;
  std::size_t stop_;
};

}  // namespace

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

bool is_date_stop(const TokenView& tokens, std::size_t at) {
  if (at == 0 || tokens[at - 1].kind != TokenKind::number) return false;
  const Date date(tokens, at);
  if (at + 1 < tokens.size() && tokens[at + 1].kind == TokenKind::ordinal) {
    return date.day(0) && date.month(1);
  }
  if (date.has_stop(-1)) {
    if (date.day(-1) && date.month(0) && date.year(1)) return true;
    if (date.year(-1) && date.month(0) && date.day(1)) return true;
    if (date.has_stop(-2) && date.year(-2) && date.month(-1) && date.day(0)) return true;
  }
  return date.has_stop(1) && date.month(1) && (date.day(0) || date.year(0));
}

}  // namespace elmo
