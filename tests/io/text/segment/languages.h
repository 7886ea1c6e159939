// The languages with a rule file.
#pragma once

#include <string>
#include <vector>

#include "io/text/segment/token_rules.h"

namespace elmo {

/// Returns the names of languages, unlike "all", "root" and "Latn".
inline std::vector<std::string> languages_with_rules() {
  std::vector<std::string> languages;
  for (const LanguageFile& file : kLanguageFiles) {
    const bool language = file.name.size() == 2 || file.name == "grc";
    if (language) languages.emplace_back(file.name);
  }
  return languages;
}

}  // namespace elmo
