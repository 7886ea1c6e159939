#include "io/model/tokenizer.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>

#include "core/error.h"
#include "core/text.h"
#include "io/files/descriptor.h"
#include "io/json/json.h"
#include "io/json/json_document.h"
#include "io/text/segment/characters.h"
#include "io/text/segment/icu.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

/// Maximum size of tokenizer.json.
constexpr std::size_t kMaxTokenizerBytes = std::size_t{8} << 20;

constexpr std::size_t kMaxTag = 35;  // BCP 47, section 4.4.1
constexpr std::size_t kMaxScripts = 16;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_tag(std::string_view tag) {
  return !tag.empty() && tag.size() <= kMaxTag && is_letter(tag.front()) &&
         std::ranges::all_of(
             tag, [](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; });
}

bool is_known(const std::string& tag) {
  if (!is_tag(tag)) return false;
  try {
    canonical_locale(tag);
    return true;
  } catch (const RequestError&) {
    return false;
  }
}

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

/// InputError if no text could be read with this tokenizer.
void require_usable(const JsonNode& json, const TokenizerDescription& description) {
  const std::optional<TokenizerSettings> settings = settings_of(description);
  if (!settings) return;
  try {
    canonical_locale(description.locale);
  } catch (const RequestError&) {
    json["locale"].refuse("a locale that this program's ICU knows");
  }
  if (settings->kind != TokenizerKind::file) return;
  if (description.rules.empty()) {
    json["rule_file"].refuse("the rules of the tokenizer \"file\"");
  }
  make_segmenter(*settings);
}

/// Sets what is requested beside the tokenizer.
void set_requested(const TokenizerRequest& request, TokenizerSettings& settings) {
  if (!request.locale.empty()) settings.locale = request.locale;
  if (request.contractions) settings.contractions = *request.contractions;
  if (request.normalization) {
    settings.normalization = settings.token_normalization = *request.normalization;
  }
}

/// NLPL's name of the weights file.
constexpr std::string_view kNlplWeights = "model.hdf5";

}  // namespace

LanguageDescription parse_language(std::string_view text, const std::string& name) {
  const JsonDocument json(text, name, "a language and its scripts");
  LanguageDescription description{json["language"].text(), json["scripts"].texts()};
  if (!is_known(description.language)) json["language"].refuse("a language tag such as \"en\"");
  const std::vector<std::string>& scripts = description.scripts;
  if (scripts.empty() || scripts.size() > kMaxScripts || !std::ranges::all_of(scripts, is_script)) {
    json["scripts"].refuse(
        "up to 16 codes of scripts that characters have, such as [\"Latn\"]; for Japanese, "
        "[\"Hira\", \"Kana\", \"Hani\"]");
  }
  return description;
}

std::string to_string(const LanguageDescription& description) {
  return description.language + " (" + joined(description.scripts, ", ") + ")";
}

TokenizerDescription parse_tokenizer(std::string_view text, const std::string& name) {
  const JsonDocument json(text, name, "the settings of a tokenizer");
  return name_errors(name, [&] { return read_tokenizer_json(json.root()); });
}

TokenizerDescription read_tokenizer_json(const JsonNode& json) {
  TokenizerDescription description;
  description.name = plain_text(json["name"]);
  description.revision = static_cast<int>(json["rules"].whole(0, std::numeric_limits<int>::max()));
  description.icu_version = optional_text(json["icu"]);
  description.unicode_version = optional_text(json["unicode"]);
  description.locale = optional_text(json["locale"]);
  if (json["rule_file"].is_there()) description.rules = json["rule_file"].text();
  if (json["contractions"].is_there()) {
    description.contractions = json["contractions"].choice(kContractionModes);
  }
  description.normalization = json["normalize"].is_there()
                                  ? json["normalize"].choice(kNormalizations)
                                  : usual_normalization(description.name);
  require_usable(json, description);
  return description;
}

std::string tokenizer_text(const TokenizerDescription& description) {
  Json json = {{"name", description.name},
               {"rules", description.revision},
               {"normalize", kNormalizations.word(description.normalization)}};
  if (!description.icu_version.empty()) {
    json["icu"] = description.icu_version;
    json["unicode"] = description.unicode_version;
    json["locale"] = description.locale;
    if (!description.rules.empty()) json["rule_file"] = description.rules;
    if (description.contractions == ContractionMode::expand) {
      json["contractions"] = kContractionModes.word(description.contractions);
    }
  }
  return json.dump();
}

std::string tokenizer_difference(const TokenizerDescription& trained,
                                 const TokenizerDescription& used) {
  std::string text;
  add(text, "tokenizer", trained.name, used.name);
  const bool nearly_agree =
      trained.revision >= rules_revisions(used.name).least && trained.revision <= used.revision;
  if (!nearly_agree) {
    add(text, "rules", std::to_string(trained.revision), std::to_string(used.revision));
  }
  add(text, "locale", trained.locale, used.locale);
  const auto word = [](const TokenizerDescription& description) {
    return std::string(kContractionModes.word(description.contractions));
  };
  add(text, "contractions", word(trained), word(used));
  if (usual_normalization(trained.name) == usual_normalization(used.name)) {
    add(text, "normalize", std::string(kNormalizations.word(trained.normalization)),
        std::string(kNormalizations.word(used.normalization)));
  }
  if (trained.rules != used.rules && trained.name == used.name) {
    text += text.empty() ? "another rule file" : ", another rule file";
  }
  return text;
}

TokenizerKind tokenizer_of_family(const ModelLocation& location) {
  const bool words = location.many_langs || location.weights.path.filename() == kNlplWeights;
  return words ? TokenizerKind::ud : TokenizerKind::moses;
}

TokenizerSettings named_tokenizer(const std::string& name) {
  TokenizerSettings settings;
  const std::optional<TokenizerKind> kind = kTokenizerKinds.find(name);
  if (kind && *kind != TokenizerKind::file) {
    settings.kind = *kind;
    return settings;
  }
  std::error_code ignored;
  if (!fs::is_regular_file(name, ignored)) {
    throw RequestError("tokenizer: found '" + excerpt(name) +
                       "', neither a tokenizer nor a file; expected ud, moses, icu or the path of "
                       "a rule file");
  }
  settings.kind = TokenizerKind::file;
  settings.rule_file = name;
  settings.rules = ModelFile(name).content(kMaxRuleFileBytes);
  make_segmenter(settings);  // reports errors before any text is read
  return settings;
}

std::optional<TokenizerDescription> read_tokenizer(const ModelLocation& location) {
  if (!location.tokenizer) return std::nullopt;
  return parse_tokenizer(location.tokenizer->content(kMaxTokenizerBytes),
                         location.tokenizer->name());
}

std::optional<LanguageDescription> read_language(const ModelLocation& location) {
  if (!location.language) return std::nullopt;
  return parse_language(location.language->content(kMaxLanguageBytes), location.language->name());
}

TokenizerSettings choose_tokenizer(const TokenizerRequest& request, const ModelLocation& location) {
  const std::optional<TokenizerDescription> trained = read_tokenizer(location);
  const std::optional<TokenizerSettings> of_model = trained ? settings_of(*trained) : std::nullopt;
  TokenizerSettings settings;
  if (!request.tokenizer.empty()) {
    settings = named_tokenizer(request.tokenizer);
  } else if (of_model) {
    settings = *of_model;
  } else {
    settings.kind = trained ? TokenizerKind::ud : tokenizer_of_family(location);
  }
  const bool is_of_model = of_model && of_model->kind == settings.kind;
  if (is_of_model) {
    settings.contractions = of_model->contractions;
    settings.normalization = of_model->normalization;
  }
  if (trained && !of_model) settings.token_normalization = trained->normalization;
  set_requested(request, settings);
  if (!request.locale.empty()) return settings;
  const std::optional<LanguageDescription> language =
      is_of_model ? std::nullopt : read_language(location);
  if (language) {
    settings.locale = language->language;
  } else if (of_model) {
    settings.locale = of_model->locale;
  }
  return settings;
}

TokenizerSettings choose_tokenizer(const TokenizerRequest& request,
                                   const TokenizerSettings& otherwise) {
  TokenizerSettings settings = otherwise;
  if (!request.tokenizer.empty()) {
    settings = named_tokenizer(request.tokenizer);
    settings.locale = otherwise.locale;
  }
  set_requested(request, settings);
  return settings;
}

}  // namespace elmo
