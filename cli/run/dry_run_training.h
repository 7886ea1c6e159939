// `elmo train --dry-run` and `elmo finetune --dry-run`.
#pragma once

#include "cli/flags/train.h"
#include "cli/process/exit_codes.h"
#include "cli/run/training_work.h"

namespace elmo {

/// Reads the text, computes a few steps, and says on standard output what the whole plan would
/// take. Nothing is left on the disk. Errors: as core and io throw them.
ExitCode run_dry_training(const TrainFlags& flags, TrainingStart start);

}  // namespace elmo
