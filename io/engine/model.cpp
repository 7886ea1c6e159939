#include "io/engine/model.h"

#include <cstdlib>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "io/files/paths.h"

namespace elmo {

namespace fs = std::filesystem;

namespace {

/// Returns the path of the installed model of that name, unless a path of that name is a model,
/// too.
std::optional<std::filesystem::path> chosen_installed(const std::string& name) {
  std::optional<std::filesystem::path> installed = installed_model(name);
  if (!installed || !is_there(name)) return installed;
  try {
    locate_model(std::filesystem::path(name));
    return std::nullopt;
  } catch (const InputError&) {
    return installed;  // such as a run's folder that is named after the model
  }
}

/// The files of a model, and its name if it is installed.
struct FoundModel {
  ModelLocation location;
  std::string installed;
};

FoundModel found_model(const ModelSpec& spec) {
  FoundModel found;
  ModelLocation& location = found.location;
  if (spec.model == kAutoModel) {
    throw RequestError(Setting::model +
                       " auto chooses by the text that is embedded; name a model here");
  }
  if (!spec.model.empty()) {
    const std::optional<fs::path> installed = chosen_installed(spec.model);
    location = locate_model(installed.value_or(spec.model));
    if (installed) found.installed = spec.model;
  } else if (!spec.options.empty() && !spec.weights.empty()) {
    location = {spec.options, spec.weights, std::nullopt, std::nullopt};
  } else if (std::optional<ModelLocation> installed = default_model()) {
    location = *std::move(installed);
    found.installed = kDefaultModel;
  } else {
    const char* const folder = std::getenv("ELMO_MODEL_PATH");
    const std::string searched = folder == nullptr || *folder == '\0'
                                     ? ""
                                     : " in the folder of ELMO_MODEL_PATH, " + std::string(folder);
    throw RequestError(std::string("no model given, and the default, ") + kDefaultModel +
                       ", is not installed" + searched + ": use " + Setting::model + " PATH");
  }
  if (!spec.vocabulary.empty()) {
    if (location.archive) {
      throw RequestError(Setting::vocab + " goes with a model in a folder; that of " + spec.model +
                         " lies in the archive");
    }
    if (location.many_langs) {
      throw RequestError(Setting::vocab + " goes with a model in the published layout; that of " +
                         spec.model + " has its words in word.dic");
    }
    location.vocabulary = spec.vocabulary;
  }
  return found;
}

}  // namespace

std::filesystem::path model_path(const std::string& model) {
  return chosen_installed(model).value_or(model);
}

ModelLocation locate_model(const ModelSpec& spec) { return found_model(spec).location; }

OpenedModel open_model(const ModelSpec& spec, const TokenizerRequest& tokenizer) {
  FoundModel found = found_model(spec);
  TokenizerSettings chosen = choose_tokenizer(tokenizer, found.location);
  LoadedModel loaded = load_model(found.location);
  if (!spec.vocabulary.empty() && loaded.options.char_cnn) {
    throw RequestError(Setting::vocab +
                       " goes with a model that reads words; this one reads characters");
  }
  loaded.name = spec.model;
  if (spec.model.empty()) loaded.name = spec.options.empty() ? kDefaultModel : spec.weights;
  return {std::move(found.location), std::move(loaded), std::move(chosen),
          std::move(found.installed)};
}

void require_trainable(const std::string& model, const ModelLocation& location) {
  if (!location.many_langs) return;
  throw RequestError(
      Setting::model + ": found a model of ELMoForManyLangs, " + model +
      "; expected one in the published layout, as training writes; "
      "'elmo convert' makes one of a model that reads words alone, or for a list of words");
}

std::vector<std::string> files_of(const ModelLocation& location) {
  std::vector<std::string> files;
  const auto add = [&files](const std::optional<fs::path>& file) {
    if (file) files.push_back(file->string());
  };
  if (location.archive) return {location.archive->string()};
  for (const auto& file :
       {std::optional(location.options), std::optional(location.weights), location.vocabulary,
        location.softmax, location.softmax_vocabulary, location.tokenizer, location.language}) {
    add(file);
  }
  if (const std::optional<ManyLangsFiles>& many = location.many_langs) {
    for (const auto& file : {std::optional(many->encoder), std::optional(many->token_embedder),
                             many->config, many->words, many->characters}) {
      add(file);
    }
  }
  return files;
}

ModelOptions model_options(const ArchitectureSpec& spec) {
  if (!spec.options.empty()) return read_options(spec.options).options;
  if (!spec.preset.empty()) return *preset(spec.preset);
  throw RequestError("no architecture given: use " + Setting::preset + " " +
                     joined(preset_names(), "|") + " or " + Setting::options + " FILE");
}

}  // namespace elmo
