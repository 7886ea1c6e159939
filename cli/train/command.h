// The part of `elmo train` and `elmo finetune` that follows parsing.
#pragma once

#include <memory>

#include "cli/common/process.h"
#include "cli/train/options.h"
#include "cli/train/request.h"
#include "core/train/communicator.h"

namespace elmo {

/// The processes that train together, as seen by one of them.
struct JoinedRanks {
  std::unique_ptr<Communicator> ranks;
  int threads = 0;  ///< of this process

  bool leads() const { return ranks->rank() == 0; }  ///< only rank 0 prints
};

/// Joins the ranks. Call it before anything is read. Errors: as join_ranks.
JoinedRanks join_training();

/// Returns the request that the options make. `threads` is the number of threads unless an option
/// sets it.
TrainingRequest training_request(const TrainFlags& flags, int threads);

/// Trains, or estimates the cost of training for --dry-run. Then leaves the ranks and prints the
/// outcome. Errors: as run_training and measure_training; RequestError for a dry run with several
/// ranks.
ExitCode train_and_report(const TrainFlags& flags, const TrainingRequest& request,
                          TrainingStart start, JoinedRanks joined);

}  // namespace elmo
