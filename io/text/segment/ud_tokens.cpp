#include <unicode/uchar.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/segment/characters.h"
#include "io/text/segment/icu.h"
#include "io/text/segment/rule_tokens.h"
#include "io/text/segment/word_cuts.h"
#include "io/text/segment/words.h"

namespace elmo {
namespace {

/// Finds emoticons in one chunk after the other, from left to right.
class EmoticonFinder {
 public:
  /// `rules` must outlive this object.
  explicit EmoticonFinder(const TokenRules& rules) : rules_(rules) {}

  /// Must be called when the chunk changes.
  void begin_chunk() { repeats_end_ = 0; }

  /// Returns the position after the emoticon that begins at `at`; otherwise `at`.
  std::size_t end(const Chunk& chunk, std::size_t at) {
    const auto sizes = rules_.emoticons.sizes(chunk.at(at));
    if (sizes.none()) return at;
    for (std::size_t size = std::min(Emoticons::kMaxCharacters, chunk.size() - at); size > 0;
         --size) {
      if (!sizes[size]) continue;
      candidate_.clear();
      for (std::size_t next = at; next < at + size; ++next) candidate_ += chunk.at(next);
      if (!rules_.emoticons.contains(candidate_)) continue;
      std::size_t end = at + size;
      const bool with_letters = std::ranges::any_of(
          candidate_, [](char32_t c) { return u_isalnum(static_cast<UChar32>(c)) != 0; });
      if (with_letters && ((at > 0 && chunk.is_word(at - 1)) || chunk.is_word(end))) continue;
      if (!with_letters) end = repeats_end(chunk, end - 1);
      if (chunk.is_sign(end, '/') || (chunk.is_word(end) && at > 0)) continue;
      return end;
    }
    return at;
  }

 private:
  /// Returns the position after the repeats of the sign at `at`. Each sign is examined once,
  /// because a long run may begin with many failed matches of emoticons.
  std::size_t repeats_end(const Chunk& chunk, std::size_t at) {
    if (at >= repeats_begin_ && at < repeats_end_) return repeats_end_;
    repeats_begin_ = at;
    repeats_end_ = at + 1;
    while (chunk.is_sign(repeats_end_, chunk.at(at))) ++repeats_end_;
    return repeats_end_;
  }

  const TokenRules& rules_;
  // The run of one sign that was examined last.
  std::size_t repeats_begin_ = 0;
  std::size_t repeats_end_ = 0;
  std::u32string candidate_;
};

/// Tokens by the rules of Universal Dependencies: addresses and emoticons first, then words,
/// numbers and signs; words are then cut at contractions and clitics.
class UdTokens final : public RuleTokenizer {
 public:
  UdTokens(const TokenRules& rules, const std::string& locale)
      : RuleTokenizer(rules, locale),
        words_(BoundaryKind::word, locale),
        emoticons_(rules),
        cutter_(rules) {}

 private:
  void begin_text() override { spaced_end_ = 0; }
  void take(RuleTokens& tokens) override;

  // These add the tokens of the word or sign at position `at`, and return the position after it.
  std::size_t take_word(std::size_t first, std::size_t at, RuleTokens& tokens);
  std::size_t take_dictionary_words(std::size_t at, RuleTokens& tokens);
  std::size_t take_sign(std::size_t at, RuleTokens& tokens);

  TokenKind kind_with_parts(std::size_t first, std::size_t end, const RuleTokens& tokens);
  std::size_t unit_begin(std::size_t first, std::size_t last) const;
  std::size_t signs_end(std::size_t first, std::size_t end);
  bool is_kept(std::size_t first, std::size_t end, WordPatterns::Match part);
  void find_dictionary_words(std::size_t at);
  bool keeps_full_stop(std::size_t first, std::size_t end, const RuleTokens& tokens) const;
  bool continues_abbreviation(std::size_t at, const RuleTokens& tokens) const;
  void add_full_stop(std::size_t word, std::size_t end, RuleTokens& tokens);
  std::size_t take_with_full_stop(std::size_t first, std::size_t at, std::size_t end,
                                  RuleTokens& tokens);
  bool ends_with_sign(std::size_t first, std::size_t end);
  std::size_t run_end(std::size_t at) const;
  std::size_t elision_end(std::size_t first, std::size_t last) const;
  bool begins_item(std::size_t at, const RuleTokens& tokens) const;
  void add_number_or_word(std::size_t first, std::size_t last, RuleTokens& tokens);
  void add_number(std::size_t first, std::size_t last, RuleTokens& tokens);
  std::size_t listed_unit(std::size_t first, std::size_t last) const;
  bool is_next_group(std::size_t last, const RuleTokens& tokens) const;

  Boundaries words_;
  EmoticonFinder emoticons_;
  WordCutter cutter_;
  WordPatterns::Cuts cuts_;
  std::u32string run_;             // of characters in dictionaries
  std::vector<std::size_t> ends_;  // of its words

  // The spaced abbreviation that was found last: where it ends in the text, and its kind.
  std::size_t spaced_end_ = 0;
  TokenKind spaced_kind_ = TokenKind::abbreviation;
};

void UdTokens::take(RuleTokens& tokens) {
  if (chunk_.letters_only()) return cutter_.add(chunk_, 0, chunk_.size(), tokens);
  emoticons_.begin_chunk();
  for (std::size_t at = 0; at < chunk_.size();) {
    std::size_t end = chunk_.may_have_address() ? address_end(chunk_, rules_, at) : at;
    if (end > at) {
      add_token(chunk_, at, end, TokenKind::address, tokens);
      at = end;
    } else if (end = emoticons_.end(chunk_, at); end > at) {
      add_token(chunk_, at, end, TokenKind::emoticon, tokens);
      at = end;
    } else if (chunk_.is_dictionary(at)) {
      at = take_dictionary_words(at, tokens);
    } else if (chunk_.is_word(at)) {
      at = take_word(at, at, tokens);
    } else {
      at = take_sign(at, tokens);
    }
  }
}

/// Adds the word that begins at `first`; its letters begin at `at`.
std::size_t UdTokens::take_word(std::size_t first, std::size_t at, RuleTokens& tokens) {
  std::size_t end = word_end(chunk_, rules_, at);
  if (chunk_.is_sign(end, '.') && !chunk_.is_sign(end + 1, '.') && !chunk_.is_word(end + 1)) {
    const std::size_t after = take_with_full_stop(first, at, end, tokens);
    if (after > end) return after;
  }
  if (end > at && ends_with_sign(first, end)) ++end;
  end = signs_end(first, end);
  add_number_or_word(first, end, tokens);
  return end;
}

void UdTokens::add_number_or_word(std::size_t first, std::size_t last, RuleTokens& tokens) {
  if (chunk_.is_digit(first)) {
    add_number(first, last, tokens);
  } else {
    cutter_.add(chunk_, first, last, tokens);
  }
}

/// Returns the end of the word [first, end) with signs after it that `keep` lists: C++, C#.
std::size_t UdTokens::signs_end(std::size_t first, std::size_t end) {
  constexpr std::size_t kMaxSigns = 2;
  if (!chunk_.is_sign(end, '+') && !chunk_.is_sign(end, '#') && !chunk_.is_sign(end, '$')) {
    return end;
  }
  for (std::size_t size = kMaxSigns; size > 0; --size) {
    const std::size_t last = end + size;
    if (last > chunk_.size() || chunk_.at(last) == chunk_.at(last - 1)) continue;
    if (is_kept(first, last, WordPatterns::Match::end)) return last;
  }
  return end;
}

/// True if `keep` has [first, end) as a whole word, or a pattern for that part of it.
bool UdTokens::is_kept(std::size_t first, std::size_t end, WordPatterns::Match part) {
  if (end - first > WordPatterns::kMaxCharacters) return false;
  const WordPatterns::Match match = rules_.keep.match(chunk_.folded(first, end), cuts_);
  return match == WordPatterns::Match::whole || match == part;
}

/// Adds the word [first, end) if it keeps the full stop at `end`, and returns the position after
/// it; otherwise `end`. The letters begin at `at`.
std::size_t UdTokens::take_with_full_stop(std::size_t first, std::size_t at, std::size_t end,
                                          RuleTokens& tokens) {
  const std::size_t elided = std::max(elision_end(at, end), unit_begin(at, end));
  const TokenKind kind =
      chunk_.are_digits(at, end)
          ? kind_of_number_with_full_stop(chunk_, rules_, tokens, at, end, begins_item(at, tokens))
          : kind_with_parts(elided, end, tokens);
  if (kind == TokenKind::word) return end;
  if (elided > at) {
    add_number_or_word(first, elided, tokens);
    first = elided;
  }
  if (rules_.full_stop_apart) {
    add_token(chunk_, first, end, TokenKind::word, tokens);
    add_token(chunk_, end, end + 1, kind, tokens);
  } else {
    add_token(chunk_, first, end + 1, kind, tokens);
  }
  return end + 1;
}

/// Returns the kind of the word [first, end) with its full stop. Remembers a spaced abbreviation
/// for its other parts.
TokenKind UdTokens::kind_with_parts(std::size_t first, std::size_t end, const RuleTokens& tokens) {
  const std::size_t after = chunk_.offset(end + 1);
  if (after < spaced_end_) return TokenKind::abbreviation;
  if (after == spaced_end_) return spaced_kind_;
  const auto found =
      rules_.spaced_abbreviations.match(chunk_.word(first, end), chunk_.text().substr(after));
  if (found.whole.empty()) return kind_with_full_stop(chunk_, rules_, tokens, first, end);
  spaced_end_ = after + found.size;
  spaced_kind_ = rules_.final_abbreviations.contains(found.whole) ? TokenKind::final_abbreviation
                                                                  : TokenKind::abbreviation;
  return TokenKind::abbreviation;
}

/// Returns the beginning of an abbreviation that is glued to a number (5p.m.), or `first`.
std::size_t UdTokens::unit_begin(std::size_t first, std::size_t last) const {
  std::size_t begin = first;
  while (begin < last && chunk_.is_digit(begin)) ++begin;
  const bool small = begin < last && u_islower(static_cast<UChar32>(chunk_.at(begin)));
  return begin > first && small && is_listed(chunk_, rules_, begin, last) ? begin : first;
}

/// True if the sign at `end` belongs to the word before it, which begins at `first`: an apostrophe
/// or a sign of `after-letters`.
bool UdTokens::ends_with_sign(std::size_t first, std::size_t end) {
  if (end == chunk_.size() || chunk_.is_word(end + 1)) return false;
  if (chunk_.is_digit(end - 1)) {  // 16- en 17-jarige
    return end + 1 == chunk_.size() && rules_.after_digits.contains(chunk_.folded_at(end)) &&
           u_islower(static_cast<UChar32>(chunk_.next_character()));
  }
  const bool elided = rules_.apostrophe == Apostrophe::left && chunk_.is_apostrophe(end) &&
                      !chunk_.is_apostrophe(end + 1) &&
                      !(first > 0 && chunk_.is_apostrophe(first - 1));
  return elided || (rules_.after_letters.contains(chunk_.folded_at(end)) &&
                    chunk_.at(end) != chunk_.at(end + 1));
}

std::size_t UdTokens::take_dictionary_words(std::size_t at, RuleTokens& tokens) {
  find_dictionary_words(at);
  std::size_t first = at;
  for (const std::size_t word : ends_) {
    const std::size_t end = at + word;
    if (word == ends_.back() && keeps_full_stop(first, end, tokens)) {
      add_full_stop(first, end, tokens);
      return end + 1;
    }
    add_token(chunk_, first, end, TokenKind::word, tokens);
    first = end;
  }
  return first;
}

/// Sets ends_ to the ends of the words of the characters in dictionaries that begin at `at`, by
/// their distance from it.
void UdTokens::find_dictionary_words(std::size_t at) {
  std::size_t end = at;
  while (chunk_.is_dictionary(end)) ++end;
  words_.set_text(chunk_.bytes(at, end));
  const std::size_t begin = chunk_.offset(at);
  ends_.clear();
  for (std::size_t next = at; next < end;) {
    const std::size_t boundary = begin + words_.next();
    while (next < end && chunk_.offset(next) < boundary) ++next;
    // A boundary inside a cluster counts only at the end.
    if (next == end || chunk_.offset(next) == boundary) ends_.push_back(next - at);
  }
  if (rules_.cut_weights.empty() || !chunk_.is_han_or_kana(at)) return;
  run_.clear();
  for (std::size_t next = at; next < end; ++next) run_ += chunk_.at(next);
  correct_cuts(run_, rules_.cut_weights, ends_);
}

/// True if the word [first, end) of a script without blanks is an abbreviation and a full stop
/// follows: a listed one (ดร.), a consonant (น.), or a part of an abbreviation (พล.ต.อ.). Han and
/// kana have none.
bool UdTokens::keeps_full_stop(std::size_t first, std::size_t end, const RuleTokens& tokens) const {
  if (chunk_.is_han_or_kana(first) || !chunk_.is_sign(end, '.') || chunk_.is_sign(end + 1, '.')) {
    return false;
  }
  constexpr std::size_t kMaxPart = 3;
  constexpr std::size_t kBytes = 3;
  if (end - first == 1 && chunk_.bytes(first, end).size() == kBytes) return true;
  if (is_listed(chunk_, rules_, first, end)) return true;
  if (end - first > kMaxPart) return false;
  std::size_t next = end + 1;
  while (chunk_.is_dictionary(next) && next - end <= kMaxPart) ++next;
  return continues_abbreviation(first, tokens) || (next > end + 1 && chunk_.is_sign(next, '.'));
}

/// True if the last token is an abbreviation, without a blank before position `at`.
bool UdTokens::continues_abbreviation(std::size_t at, const RuleTokens& tokens) const {
  return !tokens.empty() && tokens.back().kind == TokenKind::abbreviation &&
         tokens.back().range.end == chunk_.offset(at);
}

/// Adds an abbreviation of such a script, as a part of the one before it if they are glued: พ.ศ.
void UdTokens::add_full_stop(std::size_t word, std::size_t end, RuleTokens& tokens) {
  if (continues_abbreviation(word, tokens)) {
    tokens.back().range.end = chunk_.offset(end + 1);
  } else {
    add_token(chunk_, word, end + 1, TokenKind::abbreviation, tokens);
  }
}

std::size_t UdTokens::take_sign(std::size_t at, RuleTokens& tokens) {
  std::size_t end = run_end(at);
  if (end - at > 1) {
    add_token(chunk_, at, end, TokenKind::sign, tokens);
    return end;
  }
  const bool free = at == 0 || (!chunk_.is_word(at - 1) && !chunk_.is_dictionary(at - 1));
  const char32_t sign = chunk_.folded_at(at);
  if (free && ((chunk_.is_letter(at + 1) && rules_.before_letters.contains(sign)) ||
               (chunk_.is_digit(at + 1) && rules_.before_digits.contains(sign)))) {
    return take_word(at, at + 1, tokens);
  }
  if (chunk_.is_word(at + 1) &&
      (chunk_.is_apostrophe(at) || (free && (sign == '.' || sign == '-')))) {
    end = word_end(chunk_, rules_, at + 1);
    const bool bracket =  // -LRB-
        chunk_.is_sign(end, '-') && is_kept(at, end + 1, WordPatterns::Match::whole);
    if (bracket) ++end;
    if (is_kept(at, end, WordPatterns::Match::beginning)) {
      add_token(chunk_, at, end, TokenKind::word, tokens);
      return end;
    }
  }
  add_token(chunk_, at, at + 1, TokenKind::sign, tokens);
  return at + 1;
}

/// Returns the end of a run of one sign, of ! and ?, or of line-drawing signs.
std::size_t UdTokens::run_end(std::size_t at) const {
  const char32_t sign = chunk_.at(at);
  const int8_t type = u_charType(static_cast<UChar32>(sign));
  if (sign == '"' || type == U_START_PUNCTUATION || type == U_END_PUNCTUATION ||
      rules_.single.contains(chunk_.folded_at(at)) ||
      u_hasBinaryProperty(static_cast<UChar32>(sign), UCHAR_EMOJI_PRESENTATION)) {
    return at + 1;
  }
  std::u32string_view run(&sign, 1);
  for (const std::u32string_view signs :
       {std::u32string_view(U"!?"), std::u32string_view(U"-=_*~#")}) {
    if (is_in(sign, signs)) run = signs;
  }
  std::size_t end = at + 1;
  while (end < chunk_.size() && is_in(chunk_.at(end), run) &&
         !rules_.single.contains(chunk_.folded_at(end))) {
    ++end;
  }
  return end;
}

/// Returns the position after the elided words at the beginning of a word (dell'art.), or `first`.
std::size_t UdTokens::elision_end(std::size_t first, std::size_t last) const {
  if (rules_.apostrophe != Apostrophe::left) return first;
  std::size_t end = last;
  while (end > first && !chunk_.is_apostrophe(end - 1)) --end;
  return end;
}

/// True if position `at` begins a sentence or a line, so that a number there may number an item.
bool UdTokens::begins_item(std::size_t at, const RuleTokens& tokens) const {
  if (at > 0) return false;
  if (tokens.empty()) return true;
  const char before = chunk_.text()[tokens.back().range.end - 1];
  return before == '.' || before == '!' || before == '?' || before == ':' || before == ';';
}

/// Adds a number. Joins it to the previous number if both are groups of digits: 80 000.
void UdTokens::add_number(std::size_t first, std::size_t last, RuleTokens& tokens) {
  if (first == 0 && rules_.digit_groups && is_next_group(last, tokens)) {
    tokens.back().range.end = chunk_.offset(last);
    return;
  }
  if (chunk_.are_digits(first, last)) {
    return add_token(chunk_, first, last, TokenKind::number, tokens);
  }
  const std::size_t unit = listed_unit(first, last);
  if (unit < last) {
    add_token(chunk_, first, unit, TokenKind::number, tokens);
    return add_token(chunk_, unit, last, TokenKind::word, tokens);
  }
  cutter_.add(chunk_, first, last, tokens);
  tokens.back().kind = TokenKind::number;
}

/// Returns the beginning of the unit of measure that the number [first, last) ends with; `last`
/// without one.
std::size_t UdTokens::listed_unit(std::size_t first, std::size_t last) const {
  constexpr std::size_t kMaxLetters = 8;
  if (rules_.units.empty()) return last;
  std::size_t unit = last;
  while (unit > first && last - unit <= kMaxLetters && chunk_.is_letter(unit - 1)) --unit;
  const bool listed = unit > first && unit < last && chunk_.is_digit(unit - 1) &&
                      rules_.units.contains(lower_case(chunk_.word(unit, last)));
  return listed ? unit : last;
}

/// True if the number [0, last) is the next group of digits of the last token.
bool UdTokens::is_next_group(std::size_t last, const RuleTokens& tokens) const {
  constexpr std::size_t kGroup = 3;
  if (last < kGroup || !chunk_.are_digits(0, kGroup) || chunk_.is_word(kGroup) || tokens.empty() ||
      tokens.back().kind != TokenKind::number) {
    return false;
  }
  const TextRange& before = tokens.back().range;
  const std::string_view text = chunk_.text();
  const std::string_view blank = text.substr(before.end, chunk_.range().begin - before.end);
  if (blank != " " && blank != "\u00A0" && blank != "\u202F") return false;
  const std::string_view groups = text.substr(before.begin, before.end - before.begin);
  const std::size_t digits = groups.find_last_not_of("0123456789");
  return digits == std::string_view::npos ? groups.size() <= kGroup
                                          : groups.size() - (digits + 1) == kGroup;
}

}  // namespace

std::unique_ptr<RuleTokenizer> make_ud_tokenizer(const TokenRules& rules,
                                                 const std::string& locale) {
  return std::make_unique<UdTokens>(rules, locale);
}

}  // namespace elmo
