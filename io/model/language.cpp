#include "io/model/language.h"

#include <algorithm>

#include "core/error.h"
#include "io/json/json.h"
#include "io/json/json_depth.h"
#include "io/json/shown_json.h"

namespace elmo {
namespace {

constexpr std::size_t kMaxTag = 35;  // BCP 47, section 4.4.1
constexpr std::size_t kMaxScripts = 16;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_tag(const Json& value) {
  if (!value.is_string()) return false;
  const std::string tag = value.get<std::string>();
  return !tag.empty() && tag.size() <= kMaxTag && is_letter(tag.front()) &&
         std::all_of(tag.begin(), tag.end(),
                     [](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; });
}

bool is_script(const Json& value) {
  if (!value.is_string()) return false;
  const std::string code = value.get<std::string>();
  return code.size() == 4 && std::all_of(code.begin(), code.end(), is_letter);
}

[[noreturn]] void refuse_member(const std::string& name, const Json& json, const char* key,
                                const char* expected) {
  const auto found = json.find(key);
  throw InputError(name + ": " + key + " is " +
                   (found == json.end() ? "missing" : shown_json(*found)) + "; expected " +
                   expected);
}

}  // namespace

LanguageDescription parse_language(std::string_view text, const std::string& name) {
  if (nests_deeply(text))
    throw InputError(name + ": nests too deeply; expected a language and its scripts");
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) {
    throw InputError(name + ": is not a JSON object; expected a language and its scripts");
  }
  const auto language = json.find("language");
  if (language == json.end() || !is_tag(*language)) {
    refuse_member(name, json, "language", "a language tag such as \"en\"");
  }
  const auto scripts = json.find("scripts");
  if (scripts == json.end() || !scripts->is_array() || scripts->empty() ||
      scripts->size() > kMaxScripts || !std::all_of(scripts->begin(), scripts->end(), is_script)) {
    refuse_member(name, json, "scripts", "up to 16 codes of four letters such as [\"Latn\"]");
  }
  return {language->get<std::string>(), scripts->get<std::vector<std::string>>()};
}

std::string to_string(const LanguageDescription& description) {
  std::string text = description.language + " (";
  for (const std::string& script : description.scripts) {
    text += (text.ends_with('(') ? "" : ", ") + script;
  }
  return text + ")";
}

}  // namespace elmo
