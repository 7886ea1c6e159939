#include "io/text/segment/lower_case.h"

#include <unicode/locid.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cstdint>

namespace elmo {

std::string lower_case(std::string_view text) {
  const auto is_ascii = [](char letter) { return static_cast<unsigned char>(letter) < 0x80U; };
  std::string lower;
  if (std::all_of(text.begin(), text.end(), is_ascii)) {
    for (const char letter : text) {
      const bool capital = letter >= 'A' && letter <= 'Z';
      lower += capital ? static_cast<char>(letter - 'A' + 'a') : letter;
    }
    return lower;
  }
  const icu::StringPiece piece(text.data(), static_cast<std::int32_t>(text.size()));
  icu::UnicodeString::fromUTF8(piece).toLower(icu::Locale::getRoot()).toUTF8String(lower);
  return lower;
}

}  // namespace elmo
