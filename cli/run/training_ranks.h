// A training run of several processes, as far as the command line has to know of them.
#pragma once

#include <memory>

#include "cli/flags/train.h"
#include "core/train/communicator.h"
#include "io/fingerprint.h"

namespace elmo {

/// Joins the processes that were started to train together. `flags` become those of this rank: its
/// threads unless their number is given, and rank 0 alone prints. Errors: as join_ranks.
std::unique_ptr<Communicator> join_training(TrainFlags& flags);

/// What rank 0 says.
bool said_by_rank_0(Communicator& ranks, bool value);

/// RequestError on a rank whose settings are others than rank 0's, naming those that differ.
void check_settings(Communicator& ranks, const RunFingerprint& settings);

}  // namespace elmo
