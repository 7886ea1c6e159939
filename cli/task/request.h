// The options of `elmo task` and their checks.
#pragma once

#include "cli/common/chart.h"
#include "cli/common/rules.h"
#include "io/engine/task/comparison.h"
#include "io/engine/task/data.h"
#include "io/engine/task/prediction.h"

namespace elmo {

/// The options that the engine does not know. Each command has some of them.
struct TaskFlags {
  bool quiet = false;
  bool json = false;
  bool plot = false;
  bool dry_run = false;
  PictureSize picture;  ///< of `compare`
  GivenFlags given;
};

/// The options of a command, and the engine's request.
template <typename Request>
struct TaskCommand : TaskFlags {
  Request request;
};

/// Throw RequestError for options that are missing, cannot be combined or have no effect.
void check_training(const TaskFlags& flags, const TaskRequest& request);
void check_comparison(const GivenFlags& given, const ComparisonRequest& request);
/// `kind`: the model's kind.
void check_evaluation(const GivenFlags& given, const LabeledKind& kind);
void check_prediction(const GivenFlags& given, const LabeledKind& kind,
                      const PredictionForms& forms);

}  // namespace elmo
