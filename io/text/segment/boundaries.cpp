#include "io/text/segment/boundaries.h"

#include <unicode/ubrk.h>
#include <unicode/utext.h>

#include "io/text/segment/icu_status.h"

namespace elmo {

void Boundaries::Close::operator()(UBreakIterator* iterator) const { ubrk_close(iterator); }
void Boundaries::Close::operator()(UText* text) const { utext_close(text); }

Boundaries::Boundaries(BoundaryKind kind, const std::string& locale) {
  UErrorCode status = U_ZERO_ERROR;
  const UBreakIteratorType type = kind == BoundaryKind::word       ? UBRK_WORD
                                  : kind == BoundaryKind::sentence ? UBRK_SENTENCE
                                                                   : UBRK_CHARACTER;
  iterator_.reset(ubrk_open(type, locale.c_str(), nullptr, 0, &status));
  text_.reset(utext_openUTF8(nullptr, "", 0, &status));
  check_icu(status, "segment text for the locale " + locale);
}

void Boundaries::set_text(std::string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  utext_openUTF8(text_.get(), text.empty() ? "" : text.data(), static_cast<int64_t>(text.size()),
                 &status);
  ubrk_setUText(iterator_.get(), text_.get(), &status);
  check_icu(status, "take a text to segment");
}

std::size_t Boundaries::next() {
  const int32_t boundary = ubrk_next(iterator_.get());
  return boundary == UBRK_DONE ? npos : static_cast<std::size_t>(boundary);
}

}  // namespace elmo
