#include "io/text/segment/normalization.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>

#include <cstdint>
#include <utility>

#include "io/text/segment/icu.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

/// True for invisible characters that belong to words or emoji: joiners, variation selectors, tags.
bool is_orthographic(UChar32 c) {
  constexpr UChar32 kNonJoiner = 0x200C;
  constexpr UChar32 kJoiner = 0x200D;
  constexpr UChar32 kFirstTag = 0xE0020;
  return c == kNonJoiner || c == kJoiner || c >= kFirstTag ||
         u_hasBinaryProperty(c, UCHAR_VARIATION_SELECTOR) != 0;
}

/// True for Latin and Armenian ligatures such as U+FB01.
bool is_ligature(UChar32 c) { return (c >= 0xFB00 && c <= 0xFB06) || (c >= 0xFB13 && c <= 0xFB17); }

bool is_hardly_known(UChar32 c) {
  constexpr UChar32 kFirst = 0xAD;  // the soft hyphen
  if (c < kFirst) return false;
  if (is_invisible(c)) return !is_orthographic(c);
  if (is_ligature(c)) return true;
  switch (u_getIntPropertyValue(c, UCHAR_DECOMPOSITION_TYPE)) {
    case U_DT_FONT:
    case U_DT_WIDE:
    case U_DT_NARROW:
    case U_DT_INITIAL:
    case U_DT_MEDIAL:
    case U_DT_FINAL:
    case U_DT_ISOLATED:
      return u_isalnum(c) != 0;
    default:
      return false;
  }
}

bool has_hardly_known(std::string_view text) {
  for (std::size_t next = 0; next < text.size();) {
    if (is_hardly_known(next_code_point(text, next))) return true;
  }
  return false;
}

}  // namespace

std::string normalized(std::string_view text, Normalization normalization) {
  if (normalization == Normalization::none || is_ascii(text)) return std::string(text);
  if (normalization == Normalization::nfc) return canonical_form(text);
  const std::string visible = without_invisible(text);
  if (visible.empty()) return std::string(text);
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* const form = icu::Normalizer2::getNFKCInstance(status);
  check_icu(status, "normalize characters");
  std::string result;
  icu::StringByteSink<std::string> sink(&result);
  form->normalizeUTF8(0, {visible.data(), static_cast<std::int32_t>(visible.size())}, sink, nullptr,
                      status);
  check_icu(status, "normalize characters");
  return result;
}

bool set_forms(Sentence& sentence, std::string_view token, Normalization normalization) {
  const bool canonical = is_canonical(token);
  if (normalization != Normalization::nfkc && canonical) return has_hardly_known(token);
  std::string word = canonical_form(token);
  std::string encoded =
      normalization == Normalization::nfc ? word : normalized(token, normalization);
  const bool hardly_known =
      (normalization == Normalization::none && !canonical) || has_hardly_known(encoded);
  if (word != token || encoded != token) sentence.set_forms(std::move(word), std::move(encoded));
  return hardly_known;
}

}  // namespace elmo
