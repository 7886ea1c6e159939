// What `elmo train` and `elmo finetune` have in common: a training session, started and listened
// to.
#pragma once

#include <memory>

#include "cli/flags/train.h"
#include "cli/process/exit_codes.h"
#include "cli/run/training_work.h"
#include "core/train/communicator.h"

namespace elmo {

/// Trains with `ranks`, which join_training() has given, until the plan ends or something stops it,
/// and leaves them. Errors: as core and io throw them.
ExitCode run_training(const TrainFlags& flags, TrainingStart start,
                      std::unique_ptr<Communicator> ranks);

}  // namespace elmo
