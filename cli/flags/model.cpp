#include "cli/flags/model.h"

#include <CLI/App.hpp>
#include <optional>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "io/model/installed.h"

namespace elmo {

void add_model_flags(CLI::App* app, ModelFlags& flags) {
  const std::string group = "Model";
  CLI::Option* model = app->add_option(
      "--model", flags.model,
      "Folder or zip archive that holds `options.json` and `weights.hdf5` (or `model.hdf5`), "
      "`NAME_options.json` and `NAME_weights.hdf5`, or a model of ELMoForManyLangs, `encoder.pkl` "
      "and `token_embedder.pkl`; or the name of an installed model; or, of "
      "embed, "
      "`auto`: the installed model whose language is written as the first words are. A "
      "`tokenizer.json` beside them tells what kind of tokens the model was trained on: where this "
      "run's differ, a warning says in what");
  model->type_name("PATH")->default_str(kDefaultModel)->group(group);
  CLI::Option* options = app->add_option(
      "--options", flags.options, "Instead of --model, with --weights: the model's `options.json`");
  options->type_name("FILE")->group(group)->excludes(model);
  CLI::Option* weights =
      app->add_option("--weights", flags.weights,
                      "Instead of --model, with --options: the model's weights in HDF5");
  weights->type_name("FILE")->group(group)->excludes(model);
  options->needs(weights);
  weights->needs(options);
  app->add_option("--vocab", flags.vocabulary,
                  "Words that a model without characters reads, one a line")
      ->type_name("FILE")
      ->default_str("the model's vocab.txt")
      ->group(group);
}

std::filesystem::path model_path(const std::string& model) {
  std::error_code ignored;
  if (std::filesystem::exists(model, ignored)) return model;
  return installed_model(model).value_or(model);
}

ModelLocation locate_model(const ModelFlags& flags) {
  ModelLocation location;
  if (flags.model == kAutoModel) {
    throw RequestError(
        "--model auto chooses by the text that `elmo embed` reads; name a model here");
  }
  if (!flags.model.empty()) {
    location = locate_model(model_path(flags.model));
  } else if (!flags.options.empty() && !flags.weights.empty()) {
    location = {flags.options, flags.weights, std::nullopt, std::nullopt};
  } else if (std::optional<ModelLocation> installed = default_model()) {
    location = *std::move(installed);
  } else {
    throw RequestError(std::string("which model? The default one, ") + kDefaultModel +
                       ", is not installed; give --model PATH");
  }
  if (!flags.vocabulary.empty()) {
    if (location.archive) {
      throw RequestError("--vocab goes with a model in a folder; that of " + flags.model +
                         " lies in the archive");
    }
    if (location.many_langs) {
      throw RequestError("--vocab goes with a model in the published layout; that of " +
                         flags.model + " has its words in word.dic");
    }
    location.vocabulary = flags.vocabulary;
  }
  return location;
}

LoadedModel load_model(const ModelFlags& flags) {
  LoadedModel model = load_model(locate_model(flags));
  check_vocabulary(flags, model.options);
  return model;
}

void check_vocabulary(const ModelFlags& flags, const ModelOptions& model) {
  if (flags.vocabulary.empty() || !model.char_cnn) return;
  throw RequestError(
      "--vocab goes with a model that reads words; this one makes vectors of characters");
}

void require_trainable(const std::string& model, const ModelLocation& location) {
  if (!location.many_langs) return;
  throw RequestError(
      "--model: found a model of ELMoForManyLangs, " + model +
      ", expected one in the published layout, which is what training writes; "
      "'elmo convert' makes one of a model that reads words alone, or for a list of words");
}

}  // namespace elmo
