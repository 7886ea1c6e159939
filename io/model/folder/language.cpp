#include "io/model/folder/language.h"

#include <algorithm>

#include "io/json/json_document.h"

namespace elmo {
namespace {

constexpr std::size_t kMaxTag = 35;  // BCP 47, section 4.4.1
constexpr std::size_t kMaxScripts = 16;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_tag(std::string_view tag) {
  return !tag.empty() && tag.size() <= kMaxTag && is_letter(tag.front()) &&
         std::ranges::all_of(
             tag, [](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; });
}

bool is_script(std::string_view code) {
  return code.size() == 4 && std::ranges::all_of(code, is_letter);
}

}  // namespace

LanguageDescription parse_language(std::string_view text, const std::string& name) {
  const JsonDocument json(text, name, "a language and its scripts");
  LanguageDescription description{json["language"].text(), json["scripts"].texts()};
  if (!is_tag(description.language)) json["language"].refuse("a language tag such as \"en\"");
  const std::vector<std::string>& scripts = description.scripts;
  if (scripts.empty() || scripts.size() > kMaxScripts || !std::ranges::all_of(scripts, is_script)) {
    json["scripts"].refuse("up to 16 codes of four letters such as [\"Latn\"]");
  }
  return description;
}

std::string to_string(const LanguageDescription& description) {
  std::string text = description.language + " (";
  for (const std::string& script : description.scripts) {
    text += (text.ends_with('(') ? "" : ", ") + script;
  }
  return text + ")";
}

}  // namespace elmo
