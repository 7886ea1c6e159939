// The options of commands that predict with a trained task model.
#pragma once

#include "cli/run/task/predictor.h"

namespace elmo {

class Options;

struct PredictorFlags {
  PredictorRequest request;
  bool quiet = false;
};

/// Registers DIR, --model and its like, --precision, --threads and --quiet; `flags` has to outlive
/// `app`'s parsing.
void add_predictor_flags(Options app, PredictorFlags& flags);

}  // namespace elmo
