// Steps of training a task model.
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

/// What one step did.
struct TaskStep : SessionStep {
  double loss = 0.0;
  double gradient_norm = 0.0;
};

/// Goes through the examples in an order of each epoch's own, a batch a step. What step n does is a
/// function of the seed, n and the numbers in state(), so that a run can continue anywhere. Not for
/// two threads at once.
class TaskTrainer {
 public:
  /// `model`, `corpus` (at least one example) and `workers` have to outlive it.
  TaskTrainer(TaskModel& model, TaskCorpus& corpus, const TaskPlan& plan, Workers& workers);

  std::uint64_t steps_per_epoch() const { return steps_per_epoch_; }

  /// Step `step` (from 0) at this learning rate. NumericError where the loss is not finite; errors
  /// as the corpus's.
  TaskStep step(std::uint64_t step, float rate);

  /// Views of the parameters, "parameters/NAME", and of what the optimizer keeps.
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
