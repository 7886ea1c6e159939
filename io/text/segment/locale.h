// Locales by the names that people give them.
#pragma once

#include <string>

namespace elmo {

/// The locale without any tailoring.
inline constexpr const char* kRootLocale = "root";

/// ICU's name for a locale: "pt_BR" for "pt-BR" and "pt_BR", "root" for "", "root" and "und". Of
/// what it returned, the same. RequestError for a language that ICU does not know.
std::string canonical_locale(const std::string& name);

/// The language of a canonical locale: "pt" for "pt_BR", "" for "root".
std::string language_of(const std::string& locale);

}  // namespace elmo
