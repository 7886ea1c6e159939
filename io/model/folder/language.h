// language.json: the language that a model was trained on.
//
//     {"language": "ko", "scripts": ["Hang"]}
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace elmo {

/// Name of the file in a model's folder.
inline constexpr const char* kLanguageFile = "language.json";

/// Maximum size of the file.
inline constexpr std::size_t kMaxLanguageBytes = std::size_t{64} << 10;

struct LanguageDescription {
  std::string language;              ///< a BCP 47 tag: "en", "pt-BR"
  std::vector<std::string> scripts;  ///< scripts of its words, as ISO 15924 codes: "Latn"
  bool operator==(const LanguageDescription&) const = default;
};

/// Parses a language.json. InputError, beginning with `name`, with the member, what was found and
/// what was expected.
LanguageDescription parse_language(std::string_view text, const std::string& name);

/// Formats a description in one line: "en (Latn)".
std::string to_string(const LanguageDescription& description);

}  // namespace elmo
