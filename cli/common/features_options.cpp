#include "cli/common/features_options.h"

#include "cli/common/option_groups.h"
#include "cli/common/options.h"

namespace elmo {

void add_feature_flags(Options app, FeatureOptions& features, bool& quiet,
                       const std::string& without) {
  add_model_flags(app, features.model);
  const std::string group = "Activations";
  app->add_option("--features", features.folder,
                  "Folder of cached activations with a run per input (`train`, `dev`, …); missing "
                  "runs are computed and kept")
      ->type_name("DIR")
      ->default_str(without)
      ->group(group);
  add_dtype(app, "--features-dtype", features.dtype, "Type of stored activations")
      ->default_str("that of the activations in the folder, else float16")
      ->group(group);
  add_precision(app, features.precision, "Precision of the biLM's products")
      ->default_str("that of the activations in the folder, else float32")
      ->group(group);
  add_threads(app, features.threads)->group("Computing");
  app->add_flag("--quiet", quiet, "Print only errors and results");
}

}  // namespace elmo
