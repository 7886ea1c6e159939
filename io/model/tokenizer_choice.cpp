#include "io/model/tokenizer_choice.h"

#include <filesystem>
#include <optional>

#include "core/error.h"
#include "io/model/folder/files.h"
#include "io/model/folder/tokenizer.h"
#include "io/model/model.h"
#include "io/text/formats/tokenizer_description.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

/// NLPL's name of the weights file.
constexpr std::string_view kNlplWeights = "model.hdf5";

TokenizerKind kind_of_family(const ModelLocation& location) {
  const bool words = location.many_langs || location.weights.filename() == kNlplWeights;
  return words ? TokenizerKind::ud : TokenizerKind::moses;
}

}  // namespace

TokenizerSettings named_tokenizer(const std::string& name) {
  TokenizerSettings settings;
  const std::optional<TokenizerKind> kind = kTokenizerKinds.find(name);
  if (kind && *kind != TokenizerKind::file) {
    settings.kind = *kind;
    return settings;
  }
  std::error_code ignored;
  if (!fs::is_regular_file(name, ignored)) {
    throw RequestError("tokenizer: found '" + name +
                       "', neither a tokenizer nor a file; expected ud, moses, icu or the path of "
                       "a rule file");
  }
  settings.kind = TokenizerKind::file;
  settings.rule_file = name;
  settings.rules = read_model_file({}, name, kMaxRuleFileBytes);
  make_segmenter(settings);  // reports errors before any text is read
  return settings;
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
    settings.kind = trained ? TokenizerKind::ud : kind_of_family(location);
  }
  if (!request.locale.empty()) {
    settings.locale = request.locale;
  } else if (of_model && of_model->kind == settings.kind) {
    settings.locale = of_model->locale;
  } else if (const std::optional<LanguageDescription> language = read_language(location)) {
    settings.locale = language->language;
  } else if (of_model) {
    settings.locale = of_model->locale;
  }
  return settings;
}

TokenizerSettings choose_tokenizer(const TokenizerRequest& request) {
  TokenizerSettings settings;
  settings.kind = TokenizerKind::ud;
  if (!request.tokenizer.empty()) settings = named_tokenizer(request.tokenizer);
  settings.locale = request.locale;
  return settings;
}

}  // namespace elmo
