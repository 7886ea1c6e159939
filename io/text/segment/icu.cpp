#include "io/text/segment/icu.h"

#include <unicode/localpointer.h>
#include <unicode/ubrk.h>
#include <unicode/uloc.h>
#include <unicode/unistr.h>
#include <unicode/ures.h>
#include <unicode/utext.h>

#include <algorithm>

#include "core/text.h"

namespace elmo {
namespace {

/// Returns ICU's locale name of a language tag; empty if the tag is unknown.
std::string locale_of_tag(const std::string& tag) {
  std::string locale(ULOC_FULLNAME_CAPACITY, '\0');
  int32_t parsed = 0;
  UErrorCode status = U_ZERO_ERROR;
  const int32_t size = uloc_forLanguageTag(tag.c_str(), locale.data(),
                                           static_cast<int32_t>(locale.size()), &parsed, &status);
  if (U_FAILURE(status) || static_cast<std::size_t>(parsed) != tag.size() || size == 0 ||
      *uloc_getISO3Language(locale.c_str()) == '\0') {
    return "";
  }
  locale.resize(static_cast<std::size_t>(size));
  return locale;
}

/// Returns the language tag of an ICU locale name; empty if it has none.
std::string tag_of_locale(const std::string& locale) {
  std::string tag(ULOC_FULLNAME_CAPACITY, '\0');
  UErrorCode status = U_ZERO_ERROR;
  const int32_t size = uloc_toLanguageTag(locale.c_str(), tag.data(),
                                          static_cast<int32_t>(tag.size()), true, &status);
  tag.resize(U_FAILURE(status) ? 0 : static_cast<std::size_t>(size));
  return tag;
}

constexpr const char* kBreakData = U_ICUDATA_NAME "-brkitr";

/// Appends the list of exactly this locale, if ICU has one.
void append_list(const std::string& locale, std::vector<std::string>& abbreviations) {
  // Opened directly, because a search would fall back to the list of the system's locale.
  UErrorCode status = U_ZERO_ERROR;
  const icu::LocalUResourceBundlePointer data(ures_openDirect(kBreakData, locale.c_str(), &status));
  const icu::LocalUResourceBundlePointer exceptions(
      ures_getByKey(data.getAlias(), "exceptions", nullptr, &status));
  const icu::LocalUResourceBundlePointer list(
      ures_getByKey(exceptions.getAlias(), "SentenceBreak", nullptr, &status));
  if (status == U_MISSING_RESOURCE_ERROR) return;
  check_icu(status, "read the abbreviations of the locale " + locale);
  while (ures_hasNext(list.getAlias())) {
    const char* key = nullptr;
    int32_t size = 0;
    const UChar* text = ures_getNextString(list.getAlias(), &size, &key, &status);
    check_icu(status, "read the abbreviations of the locale " + locale);
    icu::UnicodeString(text, size).toUTF8String(abbreviations.emplace_back());
  }
}

}  // namespace

std::string canonical_locale(const std::string& name) {
  if (name.empty() || name == kRootLocale || name == "und") return kRootLocale;
  std::string tag = name;
  std::ranges::replace(tag, '_', '-');
  std::string locale = locale_of_tag(tag);
  if (locale.empty() && locale_of_tag(tag_of_locale(name)) == name) locale = name;
  if (locale.empty()) {
    throw RequestError("locale '" + excerpt(name) +
                       "' is not known; expected a language tag such as en, de, pt-BR, ja or th");
  }
  return locale;
}

std::string language_of(const std::string& locale) {
  std::string language(ULOC_LANG_CAPACITY, '\0');
  UErrorCode status = U_ZERO_ERROR;
  const int32_t size = uloc_getLanguage(locale.c_str(), language.data(),
                                        static_cast<int32_t>(language.size()), &status);
  check_icu(status, "determine the language of " + locale);
  language.resize(static_cast<std::size_t>(size));
  return language;
}

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

std::vector<std::string> listed_abbreviations(const std::string& locale) {
  std::vector<std::string> list;
  if (locale == kRootLocale) {
    append_list("en", list);
    append_list("ru", list);
  } else {
    const std::string language = language_of(locale);
    append_list(language, list);
    if (locale != language) append_list(locale, list);
  }
  return list;
}

}  // namespace elmo
