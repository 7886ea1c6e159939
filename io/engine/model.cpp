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

/// The files of a model, and its name if it is installed.
struct FoundModel {
  ModelLocation location;
  fs::path path;  ///< folder or archive; empty for files that are named one by one
  std::string installed;
};

/// Finds the model at the path `name`, or else the installed one of that name.
FoundModel named_model(const std::string& name) {
  const std::optional<fs::path> installed = installed_model(name);
  if (!installed) return {locate_model(fs::path(name)), name, ""};
  if (is_there(name)) {
    try {
      return {locate_model(fs::path(name)), name, ""};
    } catch (const InputError&) {
      // Such as a run's folder that is named after the model.
    }
  }
  return {locate_model(*installed), *installed, name};
}

FoundModel found_model(const ModelSpec& spec) {
  FoundModel found;
  ModelLocation& location = found.location;
  if (spec.model == kAutoModel) {
    throw RequestError(Setting{"model"} +
                       " auto chooses by the text that is embedded; name a model here");
  }
  if (!spec.model.empty()) {
    found = named_model(spec.model);
  } else if (!spec.options.empty() && !spec.weights.empty()) {
    location = {ModelFile(spec.options), ModelFile(spec.weights)};
  } else if (const std::optional<fs::path> installed = installed_model(kDefaultModel)) {
    found = {locate_model(*installed), *installed, kDefaultModel};
  } else {
    const char* const folder = std::getenv("ELMO_MODEL_PATH");
    const std::string searched = folder == nullptr || *folder == '\0'
                                     ? ""
                                     : " in the folder of ELMO_MODEL_PATH, " + std::string(folder);
    throw RequestError(std::string("no model given, and the default, ") + kDefaultModel +
                       ", is not installed" + searched + ": use " + Setting{"model"} + " PATH");
  }
  if (!spec.vocabulary.empty()) {
    const bool archived = location.many_langs ? !location.many_langs->encoder.archive.empty()
                                              : !location.options.archive.empty();
    if (archived) {
      throw RequestError(Setting{"vocab"} + " goes with a model in a folder; that of " +
                         spec.model + " lies in the archive");
    }
    if (location.many_langs) {
      throw RequestError(Setting{"vocab"} + " goes with a model in the published layout; that of " +
                         spec.model + " has its words in word.dic");
    }
    location.vocabulary = ModelFile(spec.vocabulary);
  }
  return found;
}

}  // namespace

std::filesystem::path model_path(const std::string& model) {
  return installed_model(model) ? named_model(model).path : fs::path(model);
}

ModelLocation locate_model(const ModelSpec& spec) { return found_model(spec).location; }

OpenedModel open_model(const ModelSpec& spec, const TokenizerRequest& tokenizer) {
  FoundModel found = found_model(spec);
  TokenizerSettings chosen = choose_tokenizer(tokenizer, found.location);
  LoadedModel loaded = load_model(found.location);
  if (!spec.vocabulary.empty() && loaded.options.char_cnn) {
    throw RequestError(Setting{"vocab"} +
                       " goes with a model that reads words; this one reads characters");
  }
  loaded.name = spec.model;
  if (spec.model.empty()) loaded.name = spec.options.empty() ? kDefaultModel : spec.weights;
  return {std::move(found.location), std::move(loaded), std::move(chosen), std::move(found.path),
          std::move(found.installed)};
}

void require_trainable(const std::string& model, const ModelLocation& location) {
  if (!location.many_langs) return;
  throw RequestError(
      Setting{"model"} + ": found a model of ELMoForManyLangs, " + model +
      "; expected one in the published layout, as training writes; "
      "'elmo convert' makes one of a model that reads words alone, or for a list of words");
}

std::vector<std::string> files_of(const ModelLocation& location) {
  std::vector<std::string> files;
  const auto add = [&files](const std::optional<ModelFile>& file) {
    if (file) files.push_back((file->archive.empty() ? file->path : file->archive).string());
  };
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
  if (!spec.options.empty()) return read_options(ModelFile(spec.options)).options;
  if (!spec.preset.empty()) return *preset(spec.preset);
  throw RequestError("no architecture given: use " + Setting{"preset"} + " " +
                     joined(preset_names(), "|") + " or " + Setting{"options"} + " FILE");
}

}  // namespace elmo
