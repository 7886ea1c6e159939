// What `elmo train` and `elmo finetune` have in common: a training session, started and listened
// to.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/exit_codes.h"
#include "cli/flags/train.h"
#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/model/softmax_layer.h"
#include "core/train/communicator.h"

namespace elmo {

/// What a run begins with.
struct TrainingStart {
  ModelOptions model;
  Parameters parameters;
  std::optional<SoftmaxLayer> softmax;  ///< to continue with; none: a new one
  bool pretrained = false;  ///< the biLM was trained: a new softmax is trained alone first
  std::string name;         ///< tells starts apart
};

/// Trains with `ranks`, which join_training() has given, until the plan ends or something stops it,
/// and leaves them. Errors: as core and io throw them.
ExitCode run_training(const TrainFlags& flags, TrainingStart start,
                      std::unique_ptr<Communicator> ranks);

}  // namespace elmo
