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
  CLI::Option* model = app->add_option("--model", flags.model,
                                       "Folder or zip archive that holds options.json and\n"
                                       "weights.hdf5, or NAME_options.json and\n"
                                       "NAME_weights.hdf5; or an installed model's name\n"
                                       "(default: elmo-tiny-en, where it is installed)");
  model->option_text("PATH")->group(group);
  CLI::Option* options = app->add_option("--options", flags.options,
                                         "Instead of --model, with --weights: the model's\n"
                                         "options.json");
  options->option_text("FILE")->group(group)->excludes(model);
  CLI::Option* weights = app->add_option("--weights", flags.weights,
                                         "Instead of --model, with --options: the model's\n"
                                         "weights in HDF5");
  weights->option_text("FILE")->group(group)->excludes(model);
  options->needs(weights);
  weights->needs(options);
  app->add_option("--vocab", flags.vocabulary,
                  "Words of a word-level model, one a line (default:\n"
                  "the vocab.txt of the folder or archive)")
      ->option_text("FILE")
      ->group(group);
}

std::filesystem::path model_path(const std::string& model) {
  std::error_code ignored;
  if (std::filesystem::exists(model, ignored)) return model;
  return installed_model(model).value_or(model);
}

ModelLocation locate_model(const ModelFlags& flags) {
  ModelLocation location;
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
    location.vocabulary = flags.vocabulary;
  }
  return location;
}

}  // namespace elmo
