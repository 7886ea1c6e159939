// The rule files of languages/, which are compiled into the program.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace elmo {

/// A file languages/NAME.txt, for all languages ("all"), a language ("de") or a script ("Latn").
struct LanguageFile {
  std::string_view name;
  std::string_view text;
};

extern const std::span<const LanguageFile> kLanguageFiles;

}  // namespace elmo
