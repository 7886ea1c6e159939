// Locale names.
#pragma once

#include <string>

namespace elmo {

/// The locale without any tailoring.
inline constexpr const char* kRootLocale = "root";

/// Returns ICU's name of a locale: "pt_BR" for "pt-BR" and "pt_BR", "root" for "", "root" and
/// "und". Idempotent. RequestError if ICU does not know the language.
std::string canonical_locale(const std::string& name);

/// Returns the language of a canonical locale: "pt" for "pt_BR", "" for "root".
std::string language_of(const std::string& locale);

}  // namespace elmo
