// Training steps of a task model.
#pragma once

#include <cstdint>
#include <vector>

#include "core/parallel/workers.h"
#include "core/tasks/common/task_corpus.h"
#include "core/tasks/common/task_model.h"
#include "core/tasks/common/task_plan.h"
#include "core/train/optimizer.h"
#include "core/train/session.h"

namespace elmo {

/// Result of one step.
struct TaskStep : SessionStep {
  double loss = 0.0;
  double gradient_norm = 0.0;
};

/// Trains on one batch of examples per step, in a new order for each epoch. Step n is a function of
/// the seed, n and the arrays in state(), so that a run can be resumed at any step. Not for two
/// threads at once.
class TaskTrainer {
 public:
  /// `model`, `corpus` (at least one example) and `workers` must outlive this object.
  TaskTrainer(TaskModel& model, TaskCorpus& corpus, const TaskPlan& plan, Workers& workers);

  std::uint64_t steps_per_epoch() const { return steps_per_epoch_; }

  /// Performs step `step` (from 0) with this learning rate. NumericError if the loss is not finite;
  /// other errors as the corpus's.
  TaskStep step(std::uint64_t step, float rate);

  /// Views of the parameters, named "parameters/NAME", and of the optimizer state.
  std::vector<StateArray> state();

 private:
  std::vector<std::uint64_t> examples_of(std::uint64_t step) const;

  TaskModel& model_;
  TaskCorpus& corpus_;
  TaskPlan plan_;
  Workers& workers_;
  std::uint64_t steps_per_epoch_;
  std::vector<Parameter*> parameters_;
  ParameterOptimizer optimizer_;
};

}  // namespace elmo
