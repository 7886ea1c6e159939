#include "cli/flags/model.h"

#include <CLI/App.hpp>

#include "cli/run/model_request.h"
#include "io/model/installed.h"

namespace elmo {

void add_model_flags(CLI::App* app, ModelRequest& request) {
  const std::string group = "Model";
  CLI::Option* model = app->add_option(
      "--model", request.model,
      "Folder or zip archive that holds `options.json` and `weights.hdf5` (or `model.hdf5`), "
      "`NAME_options.json` and `NAME_weights.hdf5`, or a model of ELMoForManyLangs, `encoder.pkl` "
      "and `token_embedder.pkl`; or the name of an installed model; or, of "
      "embed, "
      "`auto`: the installed model whose language is that of --locale or written as the text is. A "
      "`tokenizer.json` beside them tells what kind of tokens the model was trained on: where this "
      "run's differ, a warning says in what");
  model->type_name("PATH")->default_str(kDefaultModel)->group(group);
  CLI::Option* options =
      app->add_option("--options", request.options,
                      "Instead of --model, with --weights: the model's `options.json`");
  options->type_name("FILE")->group(group)->excludes(model);
  CLI::Option* weights =
      app->add_option("--weights", request.weights,
                      "Instead of --model, with --options: the model's weights in HDF5");
  weights->type_name("FILE")->group(group)->excludes(model);
  options->needs(weights);
  weights->needs(options);
  app->add_option("--vocab", request.vocabulary,
                  "Words that a model without characters reads, one a line")
      ->type_name("FILE")
      ->default_str("the model's vocab.txt")
      ->group(group);
}

}  // namespace elmo
