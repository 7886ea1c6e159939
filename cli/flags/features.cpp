#include "cli/flags/features.h"

#include <CLI/App.hpp>

#include "cli/flags/computing.h"
#include "cli/flags/model.h"
#include "cli/flags/options.h"
#include "cli/flags/output.h"

namespace elmo {

void add_feature_flags(CLI::App* app, FeatureFlags& flags, const std::string& without) {
  add_model_flags(app, flags.model);
  const std::string group = "Activations";
  app->add_option("--features", flags.folder,
                  "Folder of the activations: for each input a run of `elmo embed` (shards of all "
                  "layers) in a folder of its own, `train`, `dev` and so on. One that is there is "
                  "read instead of computed, one that is missing is computed and kept")
      ->type_name("DIR")
      ->default_str(without)
      ->group(group);
  add_dtype(app, "--features-dtype", flags.dtype, "Numbers in which computed activations are kept")
      ->group(group);
  add_precision(app, flags.precision, "Numbers that the biLM multiplies")->group(group);
  add_threads(app, flags.threads)->group("Computing");
  app->add_flag("--quiet", flags.quiet, "Show errors and results only");
}

}  // namespace elmo
