// The options of commands that predict with a trained task model.
#pragma once

#include "cli/run/task/predictor.h"

namespace elmo {

class Options;

struct PredictorFlags {
  PredictorRequest request;
  bool quiet = false;
};

/// Registers DIR, the model options, --precision, --threads and --quiet. `flags` must outlive the
/// parsing of `app`.
void add_predictor_flags(Options app, PredictorFlags& flags);

}  // namespace elmo
