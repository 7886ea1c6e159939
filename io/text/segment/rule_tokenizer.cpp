#include "io/text/segment/rule_tokenizer.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <array>

#include "io/text/segment/characters.h"

namespace elmo {
namespace {

enum class Ascii : std::uint8_t { blank, letter, digit, sign };

constexpr std::size_t kAsciiSize = 128;

constexpr std::array<Ascii, kAsciiSize> make_ascii_table() {
  std::array<Ascii, kAsciiSize> table{};
  for (std::size_t byte = 0; byte < kAsciiSize; ++byte) {
    const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
    table[byte] = byte <= ' ' || byte == 0x7F  ? Ascii::blank
                  : letter                     ? Ascii::letter
                  : byte >= '0' && byte <= '9' ? Ascii::digit
                                               : Ascii::sign;
  }
  return table;
}

constexpr std::array<Ascii, kAsciiSize> kAscii = make_ascii_table();

/// True for characters that separate chunks.
bool is_separator(UChar32 c) {
  constexpr UChar32 kZeroWidthSpace = 0x200B;
  return u_isUWhiteSpace(c) || u_charType(c) == U_CONTROL_CHAR || c == kZeroWidthSpace;
}

/// True for letters with simple clusters: before U+0530 (Latin, Greek, Cyrillic), and Hangul
/// syllables. False for the apostrophe among the letters (U+02BC), which patterns treat as a sign.
bool is_simple_letter(UChar32 c) {
  constexpr UChar32 kLetterApostrophe = 0x02BC;
  if (c >= 0x530) return c >= 0xAC00 && c <= 0xD7A3;
  return u_isalpha(c) && u_charType(c) != U_NON_SPACING_MARK && c != kLetterApostrophe;
}

/// True for the scripts that Unicode calls complex (Thai, Lao, Khmer, Myanmar, …). ICU's
/// dictionaries segment them.
bool has_complex_script(UChar32 c) {
  return u_getIntPropertyValue(c, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT;
}

/// True for Han and kana. ICU's dictionaries segment them, too.
bool is_han_or_kana(UChar32 c) {
  if (c == 0x30FC || c == 0xFF70) return true;  // the long vowel mark of kana
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(c, &status);
  return script == USCRIPT_HAN || script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA;
}

bool is_one_of(char32_t c, std::u32string_view signs) {
  return signs.find(c) != std::u32string_view::npos;
}

/// Signs after an address that do not belong to it.
constexpr std::u32string_view kBehindAddress = U".,;:!?'*\u2019\u2026";
/// Signs that never occur in an address.
constexpr std::u32string_view kNotInAddress = U"<>\"\u201C\u201D\u201E\u00AB\u00BB\u300C\u300D";
constexpr std::u32string_view kInAccount = U"._-+%";
/// Maximum number of characters of an account or host: above all real ones, and small enough to
/// bound the search.
constexpr std::size_t kMaxAddress = 320;

}  // namespace

RuleTokenizer::RuleTokenizer(const TokenRules& rules, const std::string& locale)
    : rules_(rules), words_(BoundaryKind::word, locale), clusters_(BoundaryKind::cluster, locale) {}

void RuleTokenizer::tokenize(std::string_view text, std::vector<RuleToken>& tokens) {
  text_ = text;
  tokens_ = &tokens;
  for (std::size_t at = 0; read_chunk(at); at = chunk_end_) {
    if (letters_only_ && rules_.split.need_signs()) {
      tokens.push_back({{chunk_begin_, chunk_end_}, TokenKind::word});
      continue;
    }
    decode_chunk();
    if (rules_.style == TokenStyle::moses) {
      take_moses_tokens();
    } else if (letters_only_) {
      add_cut(0, size_);
    } else {
      take_ud_tokens();
    }
  }
}

/// Finds the chunk at or after `begin`; returns false at the end of the text.
bool RuleTokenizer::read_chunk(std::size_t begin) {
  for (std::size_t next = begin; next < text_.size(); begin = next) {
    const auto byte = static_cast<unsigned char>(text_[next]);
    if (byte < kAsciiSize) {
      if (kAscii[byte] != Ascii::blank) break;
      ++next;
    } else if (!is_separator(next_code_point(text_, next))) {
      break;
    }
  }
  if (begin == text_.size()) return false;
  chunk_begin_ = begin;
  letters_only_ = true;
  may_have_address_ = false;
  looked_behind_ = false;
  for (std::size_t next = begin; next < text_.size(); begin = next) {
    const auto byte = static_cast<unsigned char>(text_[next]);
    if (byte < kAsciiSize) {
      const Ascii kind = kAscii[byte];
      if (kind == Ascii::blank) break;
      letters_only_ = letters_only_ && kind == Ascii::letter;
      may_have_address_ = may_have_address_ || byte == '.' || byte == '@' || byte == ':';
      ++next;
    } else {
      const UChar32 c = next_code_point(text_, next);
      if (is_simple_letter(c)) continue;
      if (is_separator(c)) break;
      letters_only_ = false;
    }
  }
  chunk_end_ = begin;
  return true;
}

/// Splits the chunk into characters. Combining marks and invisible characters belong to the
/// character before.
void RuleTokenizer::decode_chunk() {
  units_.clear();
  repeats_end_ = 0;
  bool needs_clusters = false;
  for (std::size_t next = chunk_begin_; next < chunk_end_;) {
    const std::size_t begin = units_.empty() ? chunk_begin_ : next;
    const UChar32 c = next_code_point(text_, next);
    Class kind = Class::sign;
    if (c < static_cast<UChar32>(kAsciiSize)) {
      const Ascii ascii = kAscii[static_cast<std::size_t>(c)];
      if (ascii == Ascii::letter) kind = Class::letter;
      if (ascii == Ascii::digit) kind = Class::digit;
    } else if (is_simple_letter(c)) {
      kind = Class::letter;
    } else {
      const int32_t cluster = u_getIntPropertyValue(c, UCHAR_GRAPHEME_CLUSTER_BREAK);
      needs_clusters = needs_clusters || (cluster != U_GCB_OTHER && cluster != U_GCB_EXTEND);
      if (is_invisible(c) || (extends_character(cluster) && !units_.empty())) continue;
      const int8_t type = u_charType(c);
      if (type == U_DECIMAL_DIGIT_NUMBER) {
        kind = Class::digit;
      } else if (has_dictionary(static_cast<char32_t>(c))) {
        kind = Class::dictionary;
      } else if (u_isalpha(c) || type == U_OTHER_NUMBER || type == U_LETTER_NUMBER) {
        kind = Class::letter;
      }
    }
    units_.push_back({begin, static_cast<char32_t>(c), kind});
  }
  size_ = units_.size();
  if (needs_clusters) merge_clusters();
}

bool RuleTokenizer::has_dictionary(char32_t letter) const {
  constexpr UChar32 kFirst = 0x0E00;  // of Thai, before all of these scripts
  const auto c = static_cast<UChar32>(letter);
  return c >= kFirst && (has_complex_script(c) || (rules_.dictionary && is_han_or_kana(c)));
}

/// Joins the characters of each grapheme cluster.
void RuleTokenizer::merge_clusters() {
  clusters_.set_text(text_.substr(chunk_begin_, chunk_end_ - chunk_begin_));
  std::size_t boundary = 0;
  std::erase_if(units_, [this, &boundary](const Unit& unit) {
    const std::size_t begin = unit.begin - chunk_begin_;
    while (boundary < begin) boundary = clusters_.next();
    return boundary != begin;
  });
  size_ = units_.size();
}

void RuleTokenizer::look_behind_chunk() {
  if (looked_behind_) return;
  looked_behind_ = true;
  next_ = 0;
  std::size_t begin = chunk_end_;
  for (std::size_t next = begin; begin < text_.size(); begin = next) {
    const UChar32 c = next_code_point(text_, next);
    if (is_separator(c)) continue;
    next_ = static_cast<char32_t>(c);
    break;
  }
  std::size_t end = begin;
  for (std::size_t next = end; end < text_.size() && end - begin < kMaxNextWord; end = next) {
    if (!u_isalpha(next_code_point(text_, next))) break;
  }
  next_word_ = text_.substr(begin, end - begin);
}

void RuleTokenizer::take_ud_tokens() {
  for (std::size_t at = 0; at < size_;) {
    std::size_t end = may_have_address_ ? address_end(at) : at;
    if (end > at) {
      add(at, end, TokenKind::address);
      at = end;
    } else if (end = emoticon_end(at); end > at) {
      add(at, end, TokenKind::emoticon);
      at = end;
    } else if (units_[at].kind == Class::dictionary) {
      at = take_dictionary_words(at);
    } else if (is_word(at)) {
      at = take_word(at, at);
    } else {
      at = take_sign(at);
    }
  }
}

/// Adds the word whose letters begin at unit `at` and which itself begins at unit `first`.
std::size_t RuleTokenizer::take_word(std::size_t first, std::size_t at) {
  std::size_t end = word_end(at);
  const bool number = is_digit(at);
  if (is_sign(end, '.') && !is_sign(end + 1, '.') && !is_word(end + 1)) {
    const std::size_t elided = elision_end(at, end);
    const TokenKind kind = are_digits(at, end) ? kind_of_number_with_full_stop(at, end)
                                               : kind_with_full_stop(elided, end);
    if (kind != TokenKind::word) {
      if (elided > at) {
        add_cut(first, elided);
        first = elided;
      }
      if (rules_.full_stop_apart) {
        add(first, end, TokenKind::word);
        add(end, end + 1, kind);
      } else {
        add(first, end + 1, kind);
      }
      return end + 1;
    }
  }
  if (end < size_ && !is_word(end + 1) && end > at && is_letter(end - 1)) {
    const bool elided = rules_.apostrophe == Apostrophe::left && is_apostrophe(end) &&
                        !is_apostrophe(end + 1) && !(first > 0 && is_apostrophe(first - 1));
    const bool cut_off = rules_.after_letters.contains(fold_character(units_[end].character)) &&
                         units_[end].character != (end + 1 < size_ ? units_[end + 1].character : 0);
    if (elided || cut_off) ++end;
  }
  if (number && first == at) {
    add_number(at, end);
  } else {
    add_cut(first, end);
  }
  return end;
}

std::size_t RuleTokenizer::take_dictionary_words(std::size_t at) {
  std::size_t end = at;
  while (end < size_ && units_[end].kind == Class::dictionary) ++end;
  words_.set_text(bytes(at, end));
  const std::size_t begin = offset(at);
  std::size_t first = at;
  for (std::size_t unit = at; unit < end;) {
    const std::size_t boundary = begin + words_.next();
    while (unit < end && offset(unit) < boundary) ++unit;
    if (offset(unit) != boundary) continue;  // inside a cluster, perhaps the last one
    add(first, unit, TokenKind::word);
    first = unit;
  }
  if (first < end) add(first, end, TokenKind::word);
  return end;
}

std::size_t RuleTokenizer::take_sign(std::size_t at) {
  const char32_t sign = units_[at].character;
  const char32_t as_ascii = fold_character(sign);
  std::size_t end = run_end(at);
  if (end - at > 1) {
    add(at, end, TokenKind::sign);
    return end;
  }
  const bool free = at == 0 || (!is_word(at - 1) && units_[at - 1].kind != Class::dictionary);
  if (free && is_letter(at + 1) && rules_.before_letters.contains(as_ascii)) {
    return take_word(at, at + 1);
  }
  if (free && is_digit(at + 1) && rules_.before_digits.contains(as_ascii)) {
    return take_word(at, at + 1);
  }
  if (is_apostrophe(at) && is_word(at + 1)) {
    end = word_end(at + 1);
    if (rules_.keep.match(folded(at, end), cuts_) == WordPatterns::Match::whole) {
      add(at, end, TokenKind::word);
      return end;
    }
  }
  add(at, at + 1, TokenKind::sign);
  return at + 1;
}

/// Returns the end of a run of one sign, of ! and ?, or of line-drawing signs.
std::size_t RuleTokenizer::run_end(std::size_t at) const {
  const char32_t sign = units_[at].character;
  const int8_t type = u_charType(static_cast<UChar32>(sign));
  if (sign == '"' || type == U_START_PUNCTUATION || type == U_END_PUNCTUATION ||
      rules_.single.contains(fold_character(sign)) ||
      u_hasBinaryProperty(static_cast<UChar32>(sign), UCHAR_EMOJI_PRESENTATION)) {
    return at + 1;
  }
  std::u32string_view run(&sign, 1);
  for (const std::u32string_view signs :
       {std::u32string_view(U"!?"), std::u32string_view(U"-=_*~#")}) {
    if (is_one_of(sign, signs)) run = signs;
  }
  std::size_t end = at + 1;
  while (end < size_ && is_one_of(units_[end].character, run) &&
         !rules_.single.contains(fold_character(units_[end].character))) {
    ++end;
  }
  return end;
}

std::size_t RuleTokenizer::address_end(std::size_t at) const {
  if (at > 0 && is_word(at - 1)) return at;
  std::size_t end = at;
  std::size_t dots = 0;
  std::size_t label = at;  // start of the last label
  while (end < size_ && (is_word(end) || is_one_of(units_[end].character, kInAccount))) {
    if (end - at > kMaxAddress) return at;
    if (units_[end].character == '.') {
      ++dots;
      label = end + 1;
    }
    ++end;
  }
  if (end == at) return at;
  if (is_sign(end, ':') && is_sign(end + 1, '/') && is_sign(end + 2, '/') && end + 3 < size_ &&
      dots == 0 && is_letter(at)) {
    return url_end(end + 3);
  }
  if (is_sign(end, '@') && is_word(at) && is_word(end + 1)) {
    std::size_t host = end + 1;
    while (is_word(host) || ((is_sign(host, '.') || is_sign(host, '-')) && is_word(host + 1))) {
      ++host;
    }
    return host;
  }
  if (dots == 0 || !is_word(at)) return at;
  while (end > at && !is_word(end - 1)) --end;  // excludes a full stop after it
  if (label >= end) {
    label = end;
    while (label > at && units_[label - 1].character != '.') --label;
    if (label == at) return at;
  }
  const bool known = rules_.domains.contains(std::u32string(folded(label, end)));
  const bool www = folded(at, std::min(at + 4, end)) == U"www.";
  if (!www && !known) return at;
  if (units_[label - 1].character != '.' || !is_word(label - 2)) return at;
  if (is_sign(end, '/') || (is_sign(end, ':') && is_digit(end + 1))) return url_end(end);
  return end;
}

/// Returns the end of the URL that contains unit `at`.
std::size_t RuleTokenizer::url_end(std::size_t at) const {
  std::size_t end = at;
  std::size_t open = 0;
  while (end < size_ && !is_one_of(units_[end].character, kNotInAddress)) {
    const char32_t c = units_[end].character;
    if (c == '(' || c == '[') ++open;
    if (c == ')' || c == ']') {
      if (open == 0) break;
      --open;
    }
    ++end;
  }
  while (end > at && is_one_of(units_[end - 1].character, kBehindAddress)) --end;
  return end;
}

std::size_t RuleTokenizer::emoticon_end(std::size_t at) const {
  const char32_t first = units_[at].character;
  for (const std::u32string& emoticon : rules_.emoticons) {
    if (emoticon.front() != first || emoticon.size() > size_ - at) continue;
    std::size_t end = at;
    while (end - at < emoticon.size() && is_sign(end, emoticon[end - at])) ++end;
    if (end - at < emoticon.size()) continue;
    const bool with_letters = std::ranges::any_of(
        emoticon, [](char32_t c) { return u_isalnum(static_cast<UChar32>(c)) != 0; });
    if (with_letters && ((at > 0 && is_word(at - 1)) || is_word(end))) continue;
    if (!with_letters) end = repeats_end(end - 1);
    if (is_sign(end, '/') || (is_word(end) && at > 0)) continue;
    return end;
  }
  return at;
}

/// Returns the unit after the repeats of the sign at unit `at`. Each sign is examined once, because
/// a long run may begin with many failed matches of emoticons.
std::size_t RuleTokenizer::repeats_end(std::size_t at) const {
  if (at >= repeats_begin_ && at < repeats_end_) return repeats_end_;
  repeats_begin_ = at;
  repeats_end_ = at + 1;
  while (is_sign(repeats_end_, units_[at].character)) ++repeats_end_;
  return repeats_end_;
}

std::size_t RuleTokenizer::word_end(std::size_t at) const {
  std::size_t end = at;
  for (;;) {
    while (is_word(end)) ++end;
    if (end == at || end == size_) return end;
    if (is_word(end + 1) && joins(at, end)) {
      end += 2;
    } else if ((is_sign(end, '.') && is_sign(end + 1, '-') && is_letter(end + 2) &&
                end - at == 1) ||  // J.-C.
               (is_sign(end, '-') && is_sign(end + 1, '/') && is_letter(end + 2) &&
                rules_.after_letters.contains('-') &&
                rules_.between_letters.contains('/'))) {  // touko-/kesäkuussa
      end += 3;
    } else {
      return end;
    }
  }
}

/// True if the sign at unit `at` joins the words on both sides. The word begins at `word`.
bool RuleTokenizer::joins(std::size_t word, std::size_t at) const {
  const char32_t sign = fold_character(units_[at].character);
  const bool letter_before = is_letter(at - 1);
  const bool letter_behind = is_letter(at + 1);
  if (sign == '.' && is_missing_space(word, at)) return false;
  const SignSet& signs = letter_before && letter_behind   ? rules_.between_letters
                         : letter_before || letter_behind ? rules_.between_mixed
                                                          : rules_.between_digits;
  return signs.contains(sign) || joins_parts(word, at);
}

/// True if the full stop at unit `at` ends a sentence and the blank after it is missing: a small
/// letter, the full stop, a capital and a small letter.
bool RuleTokenizer::is_missing_space(std::size_t word, std::size_t at) const {
  const auto lower = [this](std::size_t unit) {
    return is_letter(unit) && u_islower(static_cast<UChar32>(units_[unit].character));
  };
  constexpr std::size_t kMinLetters = 3;
  return at - word >= kMinLetters && lower(at - 1) && lower(at - 2) && is_letter(at + 1) &&
         u_isupper(static_cast<UChar32>(units_[at + 1].character)) &&
         (lower(at + 2) || !is_word(at + 2));
}

/// True if a pattern of `join` matches the parts of the word on both sides of unit `at`, or the
/// word with all its parts.
bool RuleTokenizer::joins_parts(std::size_t word, std::size_t at) const {
  constexpr std::size_t kMax = WordPatterns::kMaxCharacters;
  std::size_t first = at;
  while (first > word && is_word(first - 1) && at - first < kMax) --first;
  std::size_t last = at + 1;
  while (is_word(last) && last - at < kMax) ++last;
  WordPatterns::Cuts none;
  if (rules_.join.match(folded(first, last), none) != WordPatterns::Match::none) return true;
  if (at - word > kMax) return false;
  while (last - word < kMax && (is_word(last) || (is_word(last + 1) && is_hyphen(last)))) ++last;
  return rules_.join.match(folded(word, last), none) == WordPatterns::Match::whole;
}

bool RuleTokenizer::is_hyphen(std::size_t at) const {
  return at < size_ && fold_character(units_[at].character) == '-';
}

/// Returns the kind of the word at these units together with the full stop after it; `word` if the
/// full stop is a token of its own.
TokenKind RuleTokenizer::kind_with_full_stop(std::size_t first, std::size_t last) {
  std::string word(bytes(first, last));
  look_behind_chunk();
  const bool chunk_ends = last + 1 >= size_;
  const auto in = [&word](const TokenRules::Words& words) { return words.contains(word); };
  if (in(rules_.number_abbreviations)) {
    const bool number = chunk_ends && u_isdigit(static_cast<UChar32>(next_));
    if (number) return TokenKind::abbreviation;
  }
  if (in(rules_.inner_abbreviations)) {
    const bool inside = !chunk_ends || (next_ != 0 && !u_isupper(static_cast<UChar32>(next_)));
    return inside ? TokenKind::abbreviation : TokenKind::word;
  }
  if (in(rules_.final_abbreviations)) return TokenKind::final_abbreviation;
  if (in(rules_.abbreviations)) return TokenKind::abbreviation;
  if (last - first == 1) {
    const bool initial =
        u_isupper(static_cast<UChar32>(units_[first].character)) && chunk_ends &&
        (u_isupper(static_cast<UChar32>(next_)) || u_ispunct(static_cast<UChar32>(next_)));
    return initial ? TokenKind::abbreviation : TokenKind::word;
  }
  if (!word.empty() && static_cast<unsigned char>(word.front()) < kAsciiSize) {
    word.front() = static_cast<char>(fold_character(static_cast<char32_t>(word.front())));
    if (in(rules_.final_abbreviations)) return TokenKind::final_abbreviation;
    if (in(rules_.abbreviations)) return TokenKind::abbreviation;
  }
  // Letters that are each followed by a full stop: U.S., e.g., J.-C.
  for (std::size_t unit = first; unit < last; ++unit) {
    const bool letter = is_letter(unit);
    if (letter && unit + 1 < last && is_letter(unit + 1)) return TokenKind::word;
    if (!letter && !is_sign(unit, '.') && !is_sign(unit, '-')) return TokenKind::word;
  }
  return TokenKind::abbreviation;
}

TokenKind RuleTokenizer::kind_of_number_with_full_stop(std::size_t first, std::size_t last) {
  constexpr std::size_t kOrdinalDigits = 3;
  constexpr std::size_t kYearDigits = 4;
  const std::size_t digits = last - first;
  if (!rules_.ordinals || digits > kYearDigits || last + 1 < size_) return TokenKind::word;
  look_behind_chunk();
  if (next_ == 0) return TokenKind::word;
  if (u_islower(static_cast<UChar32>(next_))) return TokenKind::ordinal;
  const bool known = rules_.after_ordinal.contains(std::string(next_word_)) || begins_item(first);
  return known && digits <= kOrdinalDigits ? TokenKind::ordinal : TokenKind::word;
}

/// Returns the unit after the elided words at the beginning of a word (dell'art.), or `first`.
std::size_t RuleTokenizer::elision_end(std::size_t first, std::size_t last) const {
  if (rules_.apostrophe != Apostrophe::left) return first;
  std::size_t end = last;
  while (end > first && !is_apostrophe(end - 1)) --end;
  return end;
}

/// True if unit `at` begins a sentence or a line, so that a number there may number an item.
bool RuleTokenizer::begins_item(std::size_t at) const {
  if (at > 0) return false;
  if (tokens_->empty()) return true;
  const char before = text_[tokens_->back().range.end - 1];
  return before == '.' || before == '!' || before == '?' || before == ':' || before == ';';
}

bool RuleTokenizer::is_apostrophe(std::size_t at) const {
  return at < size_ && fold_character(units_[at].character) == '\'';
}

bool RuleTokenizer::are_digits(std::size_t first, std::size_t last) const {
  while (first < last && is_digit(first)) ++first;
  return first == last;
}

std::u32string_view RuleTokenizer::folded(std::size_t first, std::size_t last) const {
  folded_.clear();
  last = std::min(last, first + WordPatterns::kMaxCharacters + 1);
  for (std::size_t unit = first; unit < last; ++unit) {
    folded_ += fold_character(units_[unit].character);
  }
  return folded_;
}

void RuleTokenizer::add(std::size_t first, std::size_t last, TokenKind kind) {
  tokens_->push_back({{offset(first), offset(last)}, kind});
}

/// Adds a number. Joins it to the previous number if both are groups of digits: 80 000.
void RuleTokenizer::add_number(std::size_t first, std::size_t last) {
  constexpr std::size_t kGroup = 3;
  if (rules_.digit_groups && first == 0 && last >= kGroup && are_digits(0, kGroup) &&
      !is_word(kGroup) && !tokens_->empty() && tokens_->back().kind == TokenKind::number) {
    TextRange& before = tokens_->back().range;
    std::string_view blank = text_.substr(before.end, chunk_begin_ - before.end);
    std::string_view groups = text_.substr(before.begin, before.end - before.begin);
    const std::size_t digits = groups.find_last_not_of("0123456789");
    const std::size_t size = groups.size() - (digits == std::string_view::npos ? 0 : digits + 1);
    const bool grouped = digits == std::string_view::npos ? size <= kGroup : size == kGroup;
    if (grouped && (blank == " " || blank == "\u00A0" || blank == "\u202F")) {
      before.end = offset(last);
      return;
    }
  }
  if (are_digits(first, last)) return add(first, last, TokenKind::number);
  add_cut(first, last);
  tokens_->back().kind = TokenKind::number;
}

/// Adds a word, split at contractions and clitics.
void RuleTokenizer::add_cut(std::size_t first, std::size_t last) {
  using Match = WordPatterns::Match;
  while (last - first <= WordPatterns::kMaxCharacters) {
    const std::u32string_view word = folded(first, last);
    if (rules_.keep.match(word, cuts_) != Match::none) break;
    const Match match = rules_.split.match(word, cuts_);
    if (match == Match::none) return add_cut_at_apostrophe(first, last);
    if (match == Match::end) {
      const std::size_t cut = first + cuts_[0];
      add_cut(first, cut);
      return add(cut, last, TokenKind::word);
    }
    const std::size_t begin = first;
    for (const std::uint8_t cut : cuts_) {
      add(first, begin + cut, TokenKind::word);
      first = begin + cut;
    }
    if (match == Match::whole) break;
  }
  add(first, last, TokenKind::word);
}

/// Adds a word that no pattern matches.
void RuleTokenizer::add_cut_at_apostrophe(std::size_t first, std::size_t last) {
  if (rules_.apostrophe != Apostrophe::keep) {
    for (std::size_t at = first + 1; at + 1 < last; ++at) {
      if (!is_apostrophe(at) || !is_letter(at - 1) || !is_letter(at + 1)) continue;
      const std::size_t before = rules_.apostrophe == Apostrophe::left ? at + 1 : at;
      const std::size_t behind = rules_.apostrophe == Apostrophe::right ? at : at + 1;
      add(first, before, TokenKind::word);
      if (before < behind) add(before, behind, TokenKind::sign);
      return add_cut(behind, last);
    }
  }
  add(first, last, TokenKind::word);
}

/// Applies the steps of the Moses tokenizer: splits off other signs, then commas, apostrophes and
/// full stops.
void RuleTokenizer::take_moses_tokens() {
  const auto in_word = [this](std::size_t at) {
    if (at >= size_) return false;
    const char32_t c = units_[at].character;
    if (units_[at].kind == Class::letter) return u_isalpha(static_cast<UChar32>(c)) != 0;
    if (units_[at].kind != Class::sign) return true;
    if (c == '.' || c == '\'' || c == '`' || c == ',' || c == '-') return true;
    return c == ':' && at > 0 && rules_.between_letters.contains(c) && is_letter(at + 1) &&
           u_islower(static_cast<UChar32>(units_[at + 1].character));
  };
  std::size_t address = 0;  // end of the last address found
  for (std::size_t at = 0; at < size_;) {
    if (may_have_address_ && at >= address) address = std::max(address, address_end(at));
    const std::size_t before = tokens_->size();
    std::size_t end = at;
    while (in_word(end)) ++end;
    if (end == at) {
      add(at, at + 1, TokenKind::sign);
      ++at;
    } else {
      while (at < end) at = take_moses_word(at, end);
    }
    // No sentence ends inside an address, whatever its tokens.
    for (std::size_t token = before; token < tokens_->size(); ++token) {
      if ((*tokens_)[token].range.end <= offset(address)) {
        (*tokens_)[token].kind = TokenKind::address;
      }
    }
  }
}

std::size_t RuleTokenizer::take_moses_word(std::size_t first, std::size_t last) {
  const auto number = [this](std::size_t at) {
    return at < size_ && (is_digit(at) || (is_letter(at) &&
                                           !u_isalpha(static_cast<UChar32>(units_[at].character))));
  };
  const auto alpha = [this](std::size_t at) {
    return at < size_ && !is_digit(at) && u_isalpha(static_cast<UChar32>(units_[at].character));
  };
  std::size_t end = first;
  for (; end < last; ++end) {
    const bool before = end > 0;
    if (is_sign(end, '.') && is_sign(end + 1, '.')) {
      if (end > first) break;
      while (is_sign(end, '.')) ++end;
      add(first, end, TokenKind::sign);
      return end;
    }
    if (is_sign(end, ',')) {
      if (before && number(end - 1) && number(end + 1)) continue;
      if (end > first) break;
      add(end, end + 1, TokenKind::sign);
      return end + 1;
    }
    if (!is_sign(end, '\'')) continue;
    const bool alpha_before = before && alpha(end - 1);
    const bool alpha_behind = alpha(end + 1);
    const bool number_before = before && number(end - 1);
    if (alpha_before && alpha_behind && rules_.apostrophe == Apostrophe::right) {
      if (end > first) break;
      continue;
    }
    if (alpha_before && alpha_behind && rules_.apostrophe == Apostrophe::left) {
      ++end;
      break;
    }
    if (rules_.apostrophe == Apostrophe::right && number_before && alpha_behind) {
      if (is_sign(end + 1, 's') && end > first) break;
      continue;
    }
    if (end > first) break;
    add(end, end + 1, TokenKind::sign);
    return end + 1;
  }
  add_moses_word(first, end);
  return end;
}

/// Adds a word that may end with a full stop.
void RuleTokenizer::add_moses_word(std::size_t first, std::size_t last) {
  const TokenKind kind = is_digit(first)    ? TokenKind::number
                         : is_letter(first) ? TokenKind::word
                                            : TokenKind::sign;
  if (last - first < 2 || !is_sign(last - 1, '.')) return add(first, last, kind);
  const std::string word(bytes(first, last - 1));
  char32_t next = last < size_ ? units_[last].character : U'\0';
  if (last >= size_) {
    look_behind_chunk();
    next = next_;
  }
  const bool dotted =
      word.find('.') != std::string::npos &&
      std::any_of(units_.begin() + static_cast<std::ptrdiff_t>(first),
                  units_.begin() + static_cast<std::ptrdiff_t>(last), [](const Unit& unit) {
                    return u_isalpha(static_cast<UChar32>(unit.character)) != 0;
                  });
  constexpr std::size_t kMaxOrdinal = 2;
  const bool initial =
      last - first == 2 && u_isupper(static_cast<UChar32>(units_[first].character));
  const bool ordinal =
      rules_.ordinals && last - first <= kMaxOrdinal + 1 && are_digits(first, last - 1);
  if (dotted || initial || ordinal || rules_.abbreviations.contains(word) ||
      rules_.inner_abbreviations.contains(word) ||
      (rules_.number_abbreviations.contains(word) && u_isdigit(static_cast<UChar32>(next)))) {
    return add(first, last, TokenKind::abbreviation);
  }
  if (rules_.final_abbreviations.contains(word)) {
    return add(first, last, TokenKind::final_abbreviation);
  }
  if (u_islower(static_cast<UChar32>(next))) return add(first, last, TokenKind::abbreviation);
  add(first, last - 1, kind);
  add(last - 1, last, TokenKind::sign);
}

}  // namespace elmo
