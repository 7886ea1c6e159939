// The training of task models, as `elmo task` runs it.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <vector>

#include "cli/flags/task.h"
#include "cli/process/exit_codes.h"
#include "cli/run/task/data.h"
#include "core/tasks/common/task_learner.h"
#include "io/fingerprint.h"
#include "io/labelled/task/task_description.h"

namespace elmo {

/// What a finished run came to.
struct TaskOutcome {
  std::uint64_t seed = 0;
  std::vector<TaskEvaluation> evaluations;
  TaskEvaluation best;
  bool ended_early = false;  ///< by --evaluations, before --patience did
  std::vector<LearnedMix> mixes;
};

/// What the numbers of a run depend on that train_task() makes of these.
RunFingerprint task_fingerprint(const TaskTrainFlags& flags, const TaskData& data,
                                std::uint64_t seed);

/// Trains one model with `seed` into `folder`, which is prepared, from where a run there stopped if
/// flags.resume is set. Nothing where it was stopped. Errors: as core and io throw them.
std::optional<TaskOutcome> train_task(const TaskTrainFlags& flags, TaskData& data,
                                      const std::filesystem::path& folder, std::uint64_t seed,
                                      const std::atomic<bool>& stop);

/// `elmo task train`.
ExitCode run_task_train(const TaskTrainFlags& flags);

}  // namespace elmo
