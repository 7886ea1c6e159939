// The languages with a rule file.
#pragma once

#include <string>
#include <vector>

#include "io/text/segment/token_rules.h"

namespace elmo {

/// Languages have names of two letters, unlike "all", "root" and "Latn".
inline std::vector<std::string> languages_with_rules() {
  std::vector<std::string> languages;
  for (const LanguageFile& file : kLanguageFiles) {
    if (file.name.size() == 2) languages.emplace_back(file.name);
  }
  return languages;
}

}  // namespace elmo
