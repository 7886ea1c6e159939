#include "cli/flags/model.h"

#include "cli/flags/definition.h"
#include "cli/run/model_request.h"
#include "io/model/installed.h"

namespace elmo {

void add_model_flags(Options app, ModelRequest& request) {
  const std::string group = "Model";
  Option model = app->add_option(
      "--model", request.model,
      "Model folder, zip archive or installed model; `auto` (embed only) selects an installed one "
      "by script");
  model->type_name("PATH")->default_str(kDefaultModel)->group(group);
  Option options = app->add_option("--options", request.options,
                                   "Options file to use with --weights instead of --model");
  options->type_name("FILE")->group(group)->excludes(model);
  Option weights = app->add_option("--weights", request.weights,
                                   "HDF5 weights to use with --options instead of --model");
  weights->type_name("FILE")->group(group)->excludes(model);
  options->needs(weights);
  weights->needs(options);
  app->add_option("--vocab", request.vocabulary,
                  "Input words of a model without characters, one per line")
      ->type_name("FILE")
      ->default_str("the model's vocab.txt")
      ->group(group);
}

}  // namespace elmo
