// The training of task models, from labeled files to saved models.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cli/run/listener.h"
#include "cli/run/task/data.h"
#include "cli/run/task/request.h"
#include "core/tasks/common/task_learner.h"
#include "core/train/session.h"
#include "io/fingerprint.h"
#include "io/labeled/task/task_description.h"
#include "io/model/model.h"

namespace elmo {

/// What a finished run came to.
struct TaskOutcome {
  std::uint64_t seed = 0;
  std::vector<TaskEvaluation> evaluations;
  TaskEvaluation best;
  bool ended_early = false;  ///< by the plan's number of evaluations, before its patience did
  std::vector<LearnedMix> mixes;
  std::optional<double> test = std::nullopt;  ///< score on the test data, where there is any
};

/// Is notified of what sessions do, too.
class TaskRunListener : public RunListener, public SessionListener<TaskLearner> {
 public:
  /// The training of one model in `folder` begins.
  virtual void model_begins(const std::filesystem::path& /*folder*/, TaskMetric /*metric*/) {}

  virtual void model_trained(const TaskOutcome& /*outcome*/) {}

  /// Models of several seeds were trained, and the best of them saved in `folder`, which is still
  /// locked.
  virtual void seeds_trained(const std::filesystem::path& /*folder*/,
                             std::span<const TaskOutcome> /*outcomes*/, TaskMetric /*metric*/) {}
};

/// What the numbers of a run depend on that train_task() makes of these.
RunFingerprint task_fingerprint(const TaskRequest& request, const TaskData& data,
                                std::uint64_t seed);

/// A model for the data with weights drawn by the seed; its word vectors are those that were read,
/// if any.
std::unique_ptr<TaskModel> new_task_model(const TaskData& data, std::uint64_t seed);

/// Trains one model with `seed` into `folder`, which is prepared, from where a run there stopped if
/// `resume`. Nothing where it was stopped. Errors: as core and io throw them.
std::optional<TaskOutcome> train_task(const TaskRequest& request, TaskData& data,
                                      const std::filesystem::path& folder, std::uint64_t seed,
                                      bool resume, TaskRunListener& listener,
                                      const std::atomic<bool>& stop);

/// How a run ended.
enum class TaskEnd {
  completed,
  stopped,           ///< a checkpoint of where it stopped is written
  stopped_embedding  ///< before the first step; the activations so far are kept
};

struct TaskResult {
  TaskEnd end = TaskEnd::completed;
  TaskMetric metric = TaskMetric::accuracy;
  std::vector<TaskOutcome> outcomes;  ///< one a seed where it is completed
};

/// Trains a model with each seed; of several seeds each has a folder of its own, and the best of
/// their models is saved beside them. `bilm` is there where the options ask for its layers. Errors:
/// as core and io throw them; nothing is removed before the data and the model were read.
TaskResult train_tasks(const TaskRequest& request, std::optional<LoadedModel> bilm,
                       TaskRunListener& listener, const std::atomic<bool>& stop);

}  // namespace elmo
