// State of a biLM's learner in checkpoints.
#pragma once

#include "core/train/bilm/bilm_learner.h"
#include "io/train/checkpoint_file.h"

namespace elmo {

/// The metadata are the seconds and the means, "12.5 [3,23,…]". The means are stored exactly.
Checkpoint checkpoint_of(const BilmState& state);

/// InputError if the metadata are of something else.
void read_state(const Checkpoint& checkpoint, BilmState& state);

}  // namespace elmo
