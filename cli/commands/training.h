// What `elmo train` and `elmo finetune` have in common once their options are known.
#pragma once

#include <memory>

#include "cli/flags/train.h"
#include "cli/process/exit_codes.h"
#include "cli/run/train/request.h"
#include "core/train/communicator.h"

namespace elmo {

/// The processes that were started to train together, as one of them sees it.
struct JoinedRanks {
  std::unique_ptr<Communicator> ranks;
  int threads = 0;  ///< for this one to compute with

  bool leads() const { return ranks->rank() == 0; }  ///< it alone prints
};

/// Joins them, before anything is read. Errors: as join_ranks.
JoinedRanks join_training();

/// What the options ask to be trained, by a process that computes with `threads` unless their
/// number was given.
TrainingRequest training_request(const TrainFlags& flags, int threads);

/// Trains, or measures what training would take, leaves the ranks and prints how it went. Errors:
/// as run_training and measure_training; RequestError where several ranks are to measure.
ExitCode train_and_report(const TrainFlags& flags, const TrainingRequest& request,
                          TrainingStart start, JoinedRanks joined);

}  // namespace elmo
