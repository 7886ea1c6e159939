// ICU's errors, locales, abbreviations, and boundaries of characters, words and sentences (Unicode
// Standard Annex #29). Scripts written without spaces use ICU's dictionaries, which depend on the
// script and not on the locale.
#pragma once

#include <unicode/utypes.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

struct UBreakIterator;
struct UText;

namespace elmo {

/// Throws a SystemError "ICU cannot <what>" if `status` is a failure.
inline void check_icu(UErrorCode status, const std::string& what) {
  if (U_FAILURE(status)) {
    throw SystemError("ICU cannot " + what + ": " + u_errorName(status) +
                      "; are its data files installed?");
  }
}

/// The locale without any tailoring.
inline constexpr const char* kRootLocale = "root";

/// Returns ICU's name of a locale: "pt_BR" for "pt-BR" and "pt_BR", "root" for "", "root" and
/// "und". Idempotent. RequestError if ICU does not know the language.
std::string canonical_locale(const std::string& name);

/// Returns the language of a canonical locale: "pt" for "pt_BR", "" for "root".
std::string language_of(const std::string& locale);

enum class BoundaryKind { cluster, word, sentence };

/// Iterates over the boundaries of a text. Reuse it for many texts: construction reads ICU's rules,
/// setting a text is cheap. One thread at a time.
class Boundaries {
 public:
  /// `locale` comes from canonical_locale().
  Boundaries(BoundaryKind kind, const std::string& locale);

  /// Sets a new text of valid UTF-8, at most 1 GiB, which must stay alive while it is used.
  void set_text(std::string_view text);

  /// Returns the next boundary as a byte offset; the last one is the end of the text, and npos
  /// follows it. The beginning of the text is not returned.
  std::size_t next();

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

 private:
  struct Close {
    void operator()(UBreakIterator* iterator) const;
    void operator()(UText* text) const;
  };

  std::unique_ptr<UBreakIterator, Close> iterator_;
  std::unique_ptr<UText, Close> text_;
};

/// Returns ICU's sentence break suppressions (CLDR) of a locale from canonical_locale(). The root
/// locale has the English and the Russian ones. Empty if ICU has no list.
std::vector<std::string> listed_abbreviations(const std::string& locale);

}  // namespace elmo
