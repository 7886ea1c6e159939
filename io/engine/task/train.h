// Trains task models, from labeled files to saved models, or estimates the cost of it.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/tasks/common/task_learner.h"
#include "core/train/session.h"
#include "io/engine/listener.h"
#include "io/engine/task/data.h"
#include "io/files/atomic_file.h"
#include "io/provenance.h"
#include "io/tasks/task_folder.h"

namespace elmo {

/// The outcome of a finished run.
struct TaskOutcome {
  std::uint64_t seed = 0;
  std::vector<TaskEvaluation> evaluations;
  TaskEvaluation best;
  bool ended_early = false;  ///< ended by the plan's number of evaluations before patience ran out
  std::vector<LearnedMix> mixes;
  std::optional<double> test = std::nullopt;  ///< score on the test data, if any
};

/// Is notified of the sessions of all models.
class TaskListener : public SessionListener<TaskLearner> {
 public:
  /// Training of one model in `folder` begins.
  virtual void model_begins(const std::filesystem::path& folder, const TaskMetric& metric) = 0;
};

/// The listeners of a run, and the flag that stops it.
struct TaskRunServices {
  RunListener& listener;
  TaskListener& sessions;
  const std::atomic<bool>& stop;
  bool compares = false;  ///< a finished model is not trained longer
};

/// The provenance of a run of train_task(): everything that its numbers depend on.
Provenance task_provenance(const TaskRequest& request, const TaskData& data, std::uint64_t seed);

/// Trains one model with `seed` in `folder`, which must be prepared. With `resume`, continues the
/// run there, if any. Returns nothing if it was stopped. Errors: as in core and io.
std::optional<TaskOutcome> train_task(const TaskRequest& request, TaskData& data,
                                      const std::filesystem::path& folder, std::uint64_t seed,
                                      bool resume, const TaskRunServices& services);

/// The outcome of a run of train_tasks().
struct TaskResult {
  TaskMetric metric;
  std::vector<TaskOutcome> outcomes;   ///< one per seed
  std::unique_ptr<OutputFolder> lock;  ///< keeps the folder until the result is reported
};

/// Trains one model per seed. With `seeds`, each model has its own folder, and the best one is
/// saved beside them. Returns nothing if it was stopped, which is noted. Errors: as in core and io.
/// Nothing is removed before the data and the model are read.
std::optional<TaskResult> train_tasks(const TaskRequest& request, const TaskRunServices& services);

/// The sizes of the data and the model, and the cost of a run, estimated from a sample of the
/// examples.
struct DryTaskTraining {
  std::string kind;
  std::uint64_t examples = 0;  ///< training examples
  std::uint64_t tokens = 0;    ///< tokens of their texts
  std::uint64_t dev_examples = 0;
  std::uint64_t labels = 0;      ///< labels with names
  std::uint64_t words = 0;       ///< words with vectors
  std::uint64_t parameters = 0;  ///< trained numbers
  std::uint64_t steps_per_epoch = 0;
  std::uint64_t steps = 0;           ///< maximum
  std::uint64_t models = 1;          ///< one per seed
  std::uint64_t features_bytes = 0;  ///< size of the activations of all texts; 0: none
  double features_seconds = 0.0;     ///< time to compute them
  double epoch_seconds = 0.0;        ///< without the evaluations on the development data
  double seconds = 0.0;              ///< maximum for all models and activations
  std::uint64_t memory_bytes = 0;
};

/// Reads the data, embeds a sample of the training examples and computes a few steps on them.
/// Leaves nothing on the disk. Errors: as train_tasks(), except that the request's folder is not
/// checked.
DryTaskTraining measure_task_training(const TaskRequest& request);

}  // namespace elmo
