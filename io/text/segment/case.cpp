#include "io/text/segment/case.h"

#include <unicode/locid.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cstdint>

namespace elmo {
namespace {

icu::UnicodeString utf16(std::string_view text) {
  return icu::UnicodeString::fromUTF8({text.data(), static_cast<std::int32_t>(text.size())});
}

}  // namespace

std::string fold_case(std::string_view text) {
  std::string folded;
  utf16(text).foldCase().toUTF8String(folded);
  return folded;
}

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
  utf16(text).toLower(icu::Locale::getRoot()).toUTF8String(lower);
  return lower;
}

}  // namespace elmo
