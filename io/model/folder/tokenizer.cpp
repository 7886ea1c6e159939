#include "io/model/folder/tokenizer.h"

#include <algorithm>
#include <limits>

#include "io/json/json.h"
#include "io/json/json_document.h"

namespace elmo {
namespace {

/// True for text that can be printed to terminals unchanged.
bool is_plain(const std::string& text) {
  constexpr std::size_t kLongest = 64;
  return text.size() <= kLongest &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

std::string plain_text(const JsonNode& node) {
  if (!is_plain(node.text())) node.refuse("at most 64 characters of ASCII without white space");
  return node.text();
}

std::string optional_text(const JsonNode& node) {
  return node.is_there() ? plain_text(node) : std::string();
}

void add(std::string& text, const std::string& setting, const std::string& trained,
         const std::string& used) {
  if (trained == used) return;
  if (!text.empty()) text += ", ";
  text += setting + " " + (used.empty() ? "none" : used) + " instead of " +
          (trained.empty() ? "none" : trained);
}

}  // namespace

TokenizerDescription parse_tokenizer(std::string_view text, const std::string& name) {
  const JsonDocument json(text, name, "the settings of a tokenizer");
  return read_tokenizer_json(json.root());
}

TokenizerDescription read_tokenizer_json(const JsonNode& json) {
  TokenizerDescription description;
  description.name = plain_text(json["name"]);
  description.revision = static_cast<int>(json["rules"].whole(0, std::numeric_limits<int>::max()));
  description.icu_version = optional_text(json["icu"]);
  description.unicode_version = optional_text(json["unicode"]);
  description.locale = optional_text(json["locale"]);
  if (json["rule_file"].is_there()) description.rules = json["rule_file"].text();
  return description;
}

std::string tokenizer_text(const TokenizerDescription& description) {
  Json json = {{"name", description.name}, {"rules", description.revision}};
  if (!description.icu_version.empty()) {
    json["icu"] = description.icu_version;
    json["unicode"] = description.unicode_version;
    json["locale"] = description.locale;
    if (!description.rules.empty()) json["rule_file"] = description.rules;
  }
  return json.dump();
}

std::string tokenizer_difference(const TokenizerDescription& trained,
                                 const TokenizerDescription& used) {
  std::string text;
  add(text, "tokenizer", trained.name, used.name);
  add(text, "rules", std::to_string(trained.revision), std::to_string(used.revision));
  add(text, "locale", trained.locale, used.locale);
  if (trained.rules != used.rules && trained.name == used.name) {
    text += text.empty() ? "another rule file" : ", another rule file";
  }
  return text;
}

}  // namespace elmo
