// What the processes of a training run say to each other before they train.
#pragma once

#include "core/train/communicator.h"
#include "io/fingerprint.h"

namespace elmo {

/// What rank 0 says.
bool said_by_rank_0(Communicator& ranks, bool value);

/// RequestError on a rank whose settings are others than rank 0's, naming those that differ.
void check_settings(Communicator& ranks, const RunFingerprint& settings);

}  // namespace elmo
