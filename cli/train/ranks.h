// Communication between the ranks of a training run before training.
#pragma once

#include "core/train/communicator.h"
#include "io/fingerprint.h"

namespace elmo {

/// Returns the value of rank 0.
bool said_by_rank_0(Communicator& ranks, bool value);

/// Throws RequestError on a rank whose settings differ from those of rank 0, naming the
/// differences.
void check_settings(Communicator& ranks, const RunFingerprint& settings);

}  // namespace elmo
