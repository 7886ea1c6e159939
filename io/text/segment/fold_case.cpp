#include "io/text/segment/fold_case.h"

#include <unicode/unistr.h>

#include <cstdint>

namespace elmo {

std::string fold_case(std::string_view text) {
  const icu::StringPiece piece(text.data(), static_cast<std::int32_t>(text.size()));
  std::string folded;
  icu::UnicodeString::fromUTF8(piece).foldCase().toUTF8String(folded);
  return folded;
}

}  // namespace elmo
