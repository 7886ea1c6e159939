#include "io/text/segment/locale.h"

#include <unicode/uloc.h>

#include <algorithm>

#include "core/error.h"
#include "io/text/segment/icu_status.h"

namespace elmo {

std::string canonical_locale(const std::string& name) {
  if (name.empty() || name == kRootLocale || name == "und") return kRootLocale;
  std::string tag = name;
  std::ranges::replace(tag, '_', '-');
  std::string locale(ULOC_FULLNAME_CAPACITY, '\0');
  int32_t parsed = 0;
  UErrorCode status = U_ZERO_ERROR;
  const int32_t size = uloc_forLanguageTag(tag.c_str(), locale.data(),
                                           static_cast<int32_t>(locale.size()), &parsed, &status);
  if (U_FAILURE(status) || static_cast<std::size_t>(parsed) != tag.size() || size == 0 ||
      *uloc_getISO3Language(locale.c_str()) == '\0') {
    throw RequestError("locale '" + name +
                       "' is not known; expected a language tag such as en, de, pt-BR, ja or th");
  }
  locale.resize(static_cast<std::size_t>(size));
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

}  // namespace elmo
