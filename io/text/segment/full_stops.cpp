#include "io/text/segment/full_stops.h"

#include <unicode/uchar.h>

#include <optional>
#include <string>

namespace elmo {
namespace {

bool is_upper(char32_t c) { return u_isupper(static_cast<UChar32>(c)) != 0; }

/// Returns the kind of a word by the lists whose result depends on the next word; nothing if they
/// do not decide. `chunk_ends`: nothing follows the full stop in the chunk.
std::optional<TokenKind> kind_before(const TokenRules& rules, const std::string& word,
                                     char32_t next, bool chunk_ends) {
  if (rules.number_abbreviations.contains(word) && chunk_ends &&
      u_isdigit(static_cast<UChar32>(next))) {
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

}  // namespace

TokenKind kind_with_full_stop(Chunk& chunk, const TokenRules& rules, std::size_t first,
                              std::size_t last) {
  std::string word(chunk.bytes(first, last));
  const char32_t next = chunk.next_character();
  const bool chunk_ends = last + 1 >= chunk.size();
  if (const auto kind = kind_before(rules, word, next, chunk_ends)) return *kind;
  if (const auto kind = listed_kind(rules, word)) return *kind;
  if (last - first == 1) {
    const bool initial = is_upper(chunk.at(first)) && chunk_ends &&
                         (is_upper(next) || u_ispunct(static_cast<UChar32>(next)));
    return initial ? TokenKind::abbreviation : TokenKind::word;
  }
  if (!word.empty() && static_cast<unsigned char>(word.front()) < 0x80) {
    word.front() = static_cast<char>(fold_character(static_cast<char32_t>(word.front())));
    if (const auto kind = listed_kind(rules, word)) return *kind;
  }
  return is_dotted(chunk, first, last) ? TokenKind::abbreviation : TokenKind::word;
}

TokenKind kind_of_number_with_full_stop(Chunk& chunk, const TokenRules& rules, std::size_t first,
                                        std::size_t last, bool begins_item) {
  constexpr std::size_t kOrdinalDigits = 3;
  constexpr std::size_t kYearDigits = 4;
  const std::size_t digits = last - first;
  if (!rules.ordinals || digits > kYearDigits || last + 1 < chunk.size()) return TokenKind::word;
  const char32_t next = chunk.next_character();
  if (next == 0) return TokenKind::word;
  if (u_islower(static_cast<UChar32>(next))) return TokenKind::ordinal;
  const bool known = begins_item || rules.after_ordinal.contains(std::string(chunk.next_word()));
  return known && digits <= kOrdinalDigits ? TokenKind::ordinal : TokenKind::word;
}

}  // namespace elmo
