#include "io/model/tokenizer.h"

#include <algorithm>
#include <limits>

#include "core/error.h"
#include "io/json/json.h"
#include "io/json/json_depth.h"
#include "io/json/shown_json.h"

namespace elmo {
namespace {

/// Such text goes to terminals as it is.
bool is_plain(const std::string& text) {
  constexpr std::size_t kLongest = 64;
  return text.size() <= kLongest &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

class TokenizerMembers {
 public:
  TokenizerMembers(const Json& json, const std::string& name) : json_(json), name_(name) {}

  std::string text(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end() || !found->is_string()) refuse(key, "a string");
    std::string value = found->get<std::string>();
    if (!is_plain(value)) refuse(key, "at most 64 characters of ASCII without white space");
    return value;
  }

  std::string optional_text(const char* key) const { return json_.contains(key) ? text(key) : ""; }

  int number(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end() || !found->is_number_unsigned() ||
        found->get<std::uint64_t>() > std::numeric_limits<int>::max()) {
      refuse(key, "a whole number");
    }
    return found->get<int>();
  }

 private:
  [[noreturn]] void refuse(const char* key, const char* expected) const {
    const auto found = json_.find(key);
    const std::string what = found == json_.end() ? "missing" : shown_json(*found);
    throw InputError(name_ + ": " + key + " is " + what + "; expected " + expected);
  }

  const Json& json_;
  const std::string& name_;
};

void add(std::string& text, const std::string& setting, const std::string& trained,
         const std::string& used) {
  if (trained == used) return;
  if (!text.empty()) text += ", ";
  text += setting + " " + (used.empty() ? "none" : used) + " instead of " +
          (trained.empty() ? "none" : trained);
}

}  // namespace

TokenizerDescription parse_tokenizer(std::string_view text, const std::string& name) {
  if (nests_deeply(text))
    throw InputError(name + ": nests too deeply; expected the settings of a tokenizer");
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) {
    throw InputError(name + ": is not a JSON object; expected the settings of a tokenizer");
  }
  const TokenizerMembers members(json, name);
  TokenizerDescription description;
  description.name = members.text("name");
  description.revision = members.number("rules");
  description.icu_version = members.optional_text("icu");
  description.unicode_version = members.optional_text("unicode");
  description.locale = members.optional_text("locale");
  return description;
}

std::string tokenizer_text(const TokenizerDescription& description) {
  Json json = {{"name", description.name}, {"rules", description.revision}};
  if (!description.icu_version.empty()) {
    json["icu"] = description.icu_version;
    json["unicode"] = description.unicode_version;
    json["locale"] = description.locale;
  }
  return json.dump();
}

std::string tokenizer_difference(const TokenizerDescription& trained,
                                 const TokenizerDescription& used) {
  std::string text;
  add(text, "tokenizer", trained.name, used.name);
  add(text, "rules", std::to_string(trained.revision), std::to_string(used.revision));
  add(text, "locale", trained.locale, used.locale);
  return text;
}

}  // namespace elmo
