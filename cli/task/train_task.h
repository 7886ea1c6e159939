// Trains task models, from labeled files to saved models.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cli/common/listener.h"
#include "cli/task/data.h"
#include "core/tasks/common/task_learner.h"
#include "core/train/session.h"
#include "io/fingerprint.h"
#include "io/labeled/task_folder.h"
#include "io/model/model.h"

namespace elmo {

/// The outcome of a finished run.
struct TaskOutcome {
  std::uint64_t seed = 0;
  std::vector<TaskEvaluation> evaluations;
  TaskEvaluation best;
  bool ended_early = false;  ///< by the plan's number of evaluations, before its patience ran out
  std::vector<LearnedMix> mixes;
  std::optional<double> test = std::nullopt;  ///< score on the test data, if any
};

/// Is also notified of events of the sessions.
class TaskRunListener : public RunListener, public SessionListener<TaskLearner> {
 public:
  /// Training of one model in `folder` begins.
  virtual void model_begins(const std::filesystem::path& /*folder*/, TaskMetric /*metric*/) {}

  virtual void model_trained(const TaskOutcome& /*outcome*/) {}

  /// The models of several seeds are trained, and the best of them is saved in `folder`, which is
  /// still locked.
  virtual void seeds_trained(const std::filesystem::path& /*folder*/,
                             std::span<const TaskOutcome> /*outcomes*/, TaskMetric /*metric*/) {}
};

/// The fingerprint of a run of train_task(): everything that its numbers depend on.
RunFingerprint task_fingerprint(const TaskRequest& request, const TaskData& data,
                                std::uint64_t seed);

/// Returns a model for the data with random weights from `seed`, and the word vectors that were
/// read, if any.
std::unique_ptr<TaskModel> new_task_model(const TaskData& data, std::uint64_t seed);

/// Trains one model with `seed` in `folder`, which must be prepared. With `resume`, continues the
/// run there, if any. Returns nothing if it was stopped. Errors: as in core and io.
std::optional<TaskOutcome> train_task(const TaskRequest& request, TaskData& data,
                                      const std::filesystem::path& folder, std::uint64_t seed,
                                      bool resume, TaskRunListener& listener,
                                      const std::atomic<bool>& stop);

/// How a run ended.
enum class TaskEnd {
  completed,
  stopped,           ///< with a checkpoint
  stopped_embedding  ///< before the first step; the activations so far are kept
};

struct TaskResult {
  TaskEnd end = TaskEnd::completed;
  TaskMetric metric = TaskMetric::accuracy;
  std::vector<TaskOutcome> outcomes;  ///< one per seed if completed
};

/// Trains one model per seed. With `seeds`, each model has its own folder, and the best one is
/// saved beside them. `bilm` is required if the options use its layers. Errors: as in core and io.
/// Nothing is removed before the data and the model are read.
TaskResult train_tasks(const TaskRequest& request, std::optional<LoadedModel> bilm,
                       TaskRunListener& listener, const std::atomic<bool>& stop);

}  // namespace elmo
