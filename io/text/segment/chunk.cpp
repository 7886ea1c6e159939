#include "io/text/segment/chunk.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <array>

#include "io/text/segment/characters.h"
#include "io/text/segment/token_rules.h"

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
/// syllables. False for the apostrophe and the prime among the letters (U+02BC, U+02B9), which
/// patterns treat as signs.
bool is_simple_letter(UChar32 c) {
  constexpr UChar32 kLetterApostrophe = 0x02BC;
  constexpr UChar32 kLetterPrime = 0x02B9;
  if (c >= 0x530) return c >= 0xAC00 && c <= 0xD7A3;
  return u_isalpha(c) && u_charType(c) != U_NON_SPACING_MARK && c != kLetterApostrophe &&
         c != kLetterPrime;
}

/// True for the scripts that Unicode calls complex (Thai, Lao, Khmer, Myanmar, …). ICU's
/// dictionaries segment them.
bool has_complex_script(UChar32 c) {
  return u_getIntPropertyValue(c, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT;
}

/// True for Han and kana. ICU's dictionaries segment them, too.
bool has_han_or_kana_script(UChar32 c) {
  if (c == 0x30FC || c == 0xFF70) return true;  // the long vowel mark of kana
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(c, &status);
  return script == USCRIPT_HAN || script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA;
}

}  // namespace

Chunk::Chunk(bool dictionary, const std::string& locale)
    : dictionary_(dictionary), clusters_(BoundaryKind::cluster, locale) {}

void Chunk::set_text(std::string_view text) {
  text_ = text;
  range_ = {};
}

bool Chunk::next() {
  std::size_t begin = range_.end;
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
  range_.begin = begin;
  letters_only_ = true;
  may_have_address_ = false;
  looked_ahead_ = false;
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
  range_.end = begin;
  return true;
}

void Chunk::decode() {
  units_.clear();
  has_marks_ = false;
  bool needs_clusters = false;
  for (std::size_t next = range_.begin; next < range_.end;) {
    const std::size_t begin = units_.empty() ? range_.begin : next;
    const UChar32 c = next_code_point(text_, next);
    CharacterKind kind = CharacterKind::sign;
    if (c < static_cast<UChar32>(kAsciiSize)) {
      const Ascii ascii = kAscii[static_cast<std::size_t>(c)];
      if (ascii == Ascii::letter) kind = CharacterKind::letter;
      if (ascii == Ascii::digit) kind = CharacterKind::digit;
    } else if (is_simple_letter(c)) {
      kind = CharacterKind::letter;
    } else {
      const int32_t cluster = u_getIntPropertyValue(c, UCHAR_GRAPHEME_CLUSTER_BREAK);
      needs_clusters = needs_clusters || (cluster != U_GCB_OTHER && cluster != U_GCB_EXTEND);
      if (is_invisible(c) || (extends_character(cluster) && !units_.empty())) {
        has_marks_ = true;
        continue;
      }
      const int8_t type = u_charType(c);
      if (type == U_DECIMAL_DIGIT_NUMBER) {
        kind = CharacterKind::digit;
      } else if (has_dictionary(static_cast<char32_t>(c))) {
        kind = CharacterKind::dictionary;
      } else if (u_isalpha(c) || type == U_OTHER_NUMBER || type == U_LETTER_NUMBER) {
        kind = CharacterKind::letter;
      }
    }
    units_.push_back({begin, static_cast<char32_t>(c), kind});
  }
  if (needs_clusters) merge_clusters();
  if (has_marks_ || needs_clusters) compose();
  folded_.clear();
  for (std::size_t at = 0; at < size(); ++at) {
    const char32_t c = units_[at].character;
    const bool apostrophe =
        is_apostrophe_between_letters(c) && at > 0 && is_letter(at - 1) && is_letter(at + 1);
    folded_ += apostrophe ? U'\'' : fold_character(c);
  }
}

bool Chunk::has_dictionary(char32_t letter) const {
  constexpr UChar32 kFirst = 0x0E00;  // begin of Thai, the first of these scripts
  const auto c = static_cast<UChar32>(letter);
  return c >= kFirst && (has_complex_script(c) || (dictionary_ && has_han_or_kana_script(c)));
}

/// Joins the characters of each grapheme cluster.
void Chunk::merge_clusters() {
  clusters_.set_text(text_.substr(range_.begin, range_.end - range_.begin));
  std::size_t boundary = 0;
  std::erase_if(units_, [this, &boundary](const Unit& unit) {
    const std::size_t begin = unit.begin - range_.begin;
    while (boundary < begin) boundary = clusters_.next();
    return boundary != begin;
  });
}

/// Replaces each character that has marks with the composed one, if there is one.
void Chunk::compose() {
  constexpr std::size_t kMaxBytes = 64;  // far more than a letter and the marks of any language
  has_marks_ = true;
  for (std::size_t at = 0; at < size(); ++at) {
    const std::string_view text = bytes(at, at + 1);
    std::size_t next = 0;
    next_code_point(text, next);
    if (next == text.size() || text.size() > kMaxBytes) continue;
    const std::string letter = composed(text);
    next = 0;
    if (letter.empty()) continue;
    const UChar32 c = next_code_point(letter, next);
    if (u_isalpha(c) && !belongs_to_character_before(c)) {
      units_[at].character = static_cast<char32_t>(c);
    }
  }
}

std::string Chunk::word(std::size_t first, std::size_t last) const {
  constexpr std::size_t kMaxBytes = 256;  // no rule lists a longer word
  const std::string_view text = bytes(first, last);
  return has_marks_ && text.size() <= kMaxBytes ? composed(text) : std::string(text);
}

bool Chunk::are_digits(std::size_t first, std::size_t last) const {
  while (first < last && is_digit(first)) ++first;
  return first == last;
}

char32_t Chunk::next_character() {
  look_ahead();
  return next_character_;
}

const std::string& Chunk::next_word() {
  look_ahead();
  return next_word_;
}

void Chunk::look_ahead() {
  if (looked_ahead_) return;
  looked_ahead_ = true;
  next_character_ = 0;
  std::size_t begin = range_.end;
  for (std::size_t next = begin; begin < text_.size(); begin = next) {
    const UChar32 c = next_code_point(text_, next);
    if (is_separator(c)) continue;
    next_character_ = static_cast<char32_t>(c);
    break;
  }
  std::size_t end = begin;
  bool plain = true;
  for (std::size_t next = end; end < text_.size() && end - begin < kMaxNextWord; end = next) {
    const UChar32 c = next_code_point(text_, next);
    if (u_isalpha(c)) continue;
    if (end == begin || !belongs_to_character_before(c)) break;
    plain = false;
  }
  const std::string_view word = text_.substr(begin, end - begin);
  next_word_ = plain ? std::string(word) : composed(word);
}

}  // namespace elmo
