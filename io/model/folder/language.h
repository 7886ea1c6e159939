// language.json: what language a model was trained on.
//
//     {"language": "ko", "scripts": ["Hang"]}
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace elmo {

/// The file that holds it, in a model's folder.
inline constexpr const char* kLanguageFile = "language.json";

/// Files of a language are no larger than this.
inline constexpr std::size_t kMaxLanguageBytes = std::size_t{64} << 10;

struct LanguageDescription {
  std::string language;              ///< a tag of BCP 47: "en", "pt-BR"
  std::vector<std::string> scripts;  ///< that its words are written in, by ISO 15924: "Latn"
  bool operator==(const LanguageDescription&) const = default;
};

/// InputError, beginning with `name`, with the member, what was found and what was expected.
LanguageDescription parse_language(std::string_view text, const std::string& name);

/// One line: "en (Latn)".
std::string to_string(const LanguageDescription& description);

}  // namespace elmo
