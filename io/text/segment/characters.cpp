#include "io/text/segment/characters.h"

#include <unicode/bytestream.h>
#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/uniset.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

#include <algorithm>

#include "io/text/segment/icu.h"
#include "io/text/segment/utf8.h"

namespace elmo {

bool is_white_space(std::int32_t code_point) {
  constexpr UChar32 kFileSeparator = 0x1C;
  constexpr UChar32 kUnitSeparator = 0x1F;
  return u_isUWhiteSpace(code_point) != 0 ||
         (code_point >= kFileSeparator && code_point <= kUnitSeparator);
}

std::string_view without_outer_white_space(std::string_view text) {
  std::size_t begin = 0;
  for (std::size_t next = 0; next < text.size(); begin = next) {
    if (!is_white_space(next_code_point(text, next))) break;
  }
  text.remove_prefix(begin);
  std::size_t end = text.size();
  for (std::size_t before = end; before > 0; end = before) {
    if (!is_white_space(previous_code_point(text, before))) break;
  }
  return text.substr(0, end);
}

std::string_view without_outer_blanks(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  return line.substr(0, line.find_last_not_of(kBlanks) + 1);
}

bool is_letter_or_number(std::int32_t code_point) {
  return u_isalpha(code_point) != 0 ||
         u_getIntPropertyValue(code_point, UCHAR_NUMERIC_TYPE) != U_NT_NONE;
}

bool is_invisible(std::int32_t code_point) {
  return u_hasBinaryProperty(code_point, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0;
}

bool extends_character(std::int32_t cluster_break) {
  return cluster_break == U_GCB_EXTEND || cluster_break == U_GCB_SPACING_MARK ||
         cluster_break == U_GCB_ZWJ;
}

bool belongs_to_character_before(std::int32_t code_point) {
  return extends_character(u_getIntPropertyValue(code_point, UCHAR_GRAPHEME_CLUSTER_BREAK)) ||
         is_invisible(code_point);
}

namespace {

icu::StringPiece piece(std::string_view text) {
  return {text.data(), static_cast<std::int32_t>(text.size())};
}

icu::UnicodeString decoded(std::string_view text) {
  return icu::UnicodeString::fromUTF8(piece(text));
}

/// True for the scripts of characters that have none of their own.
bool is_shared(UScriptCode script) {
  return script == USCRIPT_COMMON || script == USCRIPT_INHERITED || script == USCRIPT_UNKNOWN;
}

}  // namespace

std::string without_invisible(std::string_view text) {
  std::string visible;
  for (std::size_t begin = 0, next = 0; next < text.size(); begin = next) {
    if (!is_invisible(next_code_point(text, next))) visible += text.substr(begin, next - begin);
  }
  return visible;
}

bool is_canonical(std::string_view text) {
  if (is_ascii(text)) return true;
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* const form_c = icu::Normalizer2::getNFCInstance(status);
  check_icu(status, "compose characters");
  const bool is = form_c->isNormalizedUTF8(piece(text), status) != 0;
  check_icu(status, "compose characters");
  return is;
}

std::string canonical_form(std::string_view text) {
  if (is_canonical(text)) return std::string(text);
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* const form_c = icu::Normalizer2::getNFCInstance(status);
  std::string result;
  icu::StringByteSink<std::string> sink(&result);
  form_c->normalizeUTF8(0, piece(text), sink, nullptr, status);
  check_icu(status, "compose characters");
  return result;
}

std::string composed(std::string_view text) {
  return is_ascii(text) ? std::string(text) : canonical_form(without_invisible(text));
}

std::int32_t base_letter(std::int32_t letter) {
  constexpr std::int32_t kAscii = 0x80;
  if (letter < kAscii) return letter;
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* form_d = icu::Normalizer2::getNFDInstance(status);
  check_icu(status, "decompose characters");
  icu::UnicodeString parts;
  return form_d->getDecomposition(letter, parts) ? parts.char32At(0) : letter;
}

std::string fold_case(std::string_view text) {
  if (is_ascii(text)) return lower_case(text);
  std::string folded;
  decoded(canonical_form(text)).foldCase().toUTF8String(folded);
  return canonical_form(folded);
}

std::string lower_case(std::string_view text) {
  std::string lower;
  if (is_ascii(text)) {
    for (const char letter : text) {
      const bool capital = letter >= 'A' && letter <= 'Z';
      lower += capital ? static_cast<char>(letter - 'A' + 'a') : letter;
    }
    return lower;
  }
  decoded(text).toLower(icu::Locale::getRoot()).toUTF8String(lower);
  return lower;
}

std::string upper_case(std::string_view text) {
  std::string upper;
  decoded(text).toUpper(icu::Locale::getRoot()).toUTF8String(upper);
  return upper;
}

bool is_script(const std::string& code) {
  const int32_t value = u_getPropertyValueEnum(UCHAR_SCRIPT, code.c_str());
  if (value == UCHAR_INVALID_CODE || is_shared(static_cast<UScriptCode>(value)) ||
      code != uscript_getShortName(static_cast<UScriptCode>(value))) {
    return false;
  }
  UErrorCode status = U_ZERO_ERROR;
  icu::UnicodeSet characters;
  characters.applyIntPropertyValue(UCHAR_SCRIPT, value, status);
  return U_SUCCESS(status) && !characters.isEmpty();
}

std::string script_of(std::string_view word) {
  for (std::size_t position = 0; position < word.size();) {
    const UChar32 character = next_code_point(word, position);
    UErrorCode status = U_ZERO_ERROR;
    const UScriptCode script = uscript_getScript(character, &status);
    if (U_FAILURE(status) || is_shared(script)) continue;
    return uscript_getShortName(script);
  }
  return "";
}

}  // namespace elmo
