// The rule files of languages/, which the build makes part of the program.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace elmo {

/// A file languages/NAME.txt: of all languages ("all"), of a language ("de") or of a script
/// ("Latn").
struct LanguageFile {
  std::string_view name;
  std::string_view text;
};

extern const std::span<const LanguageFile> kLanguageFiles;

}  // namespace elmo
