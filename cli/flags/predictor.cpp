#include "cli/flags/predictor.h"

#include "cli/flags/computing.h"
#include "cli/flags/definition.h"
#include "cli/flags/model.h"

namespace elmo {

void add_predictor_flags(Options app, PredictorFlags& flags) {
  PredictorRequest& request = flags.request;
  app->add_option("DIR", request.folder, "Folder of a model, as `elmo task train` makes it")
      ->required();
  add_model_flags(app, request.model);
  add_precision(app, request.precision, "Precision of the biLM's products")
      ->default_str("float32")
      ->group("Computing");
  add_threads(app, request.threads)->group("Computing");
  app->add_flag("--quiet", flags.quiet, "Print only errors and results");
}

}  // namespace elmo
