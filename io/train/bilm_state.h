// The state of a biLM's learner as checkpoints hold it.
#pragma once

#include "core/train/bilm/bilm_learner.h"
#include "io/train/checkpoint_file.h"

namespace elmo {

/// The metadata are the seconds and the means, "12.5 [3,23,…]". Means lose no bit.
Checkpoint checkpoint_of(const BilmState& state);

/// InputError where the metadata are of something else.
void read_state(const Checkpoint& checkpoint, BilmState& state);

}  // namespace elmo
