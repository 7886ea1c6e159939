// A task model as the learner of a session: adds evaluations on development data, learning rate
// decay and the choice of the best weights to its trainer's steps.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/tasks/common/task_plan.h"
#include "core/tasks/common/task_trainer.h"
#include "core/tasks/common/weight_average.h"
#include "core/tensor/aligned.h"
#include "core/train/optimizer.h"
#include "core/train/session.h"

namespace elmo {

/// An evaluation on the development data.
struct TaskEvaluation {
  std::uint64_t number = 0;  ///< from 1
  std::uint64_t step = 0;    ///< steps done before it
  double loss = 0.0;         ///< mean over the steps since the previous evaluation
  double score = 0.0;        ///< F1 of spans, or accuracy, in percent
  double rate = 0.0;         ///< of the last step
  double seconds = 0.0;      ///< since the run began, including earlier processes
  bool best = false;         ///< the best so far
};

/// State, besides its arrays, that a run needs to continue as if it had never stopped.
struct TaskState {
  std::uint64_t step = 0;
  std::uint64_t tokens = 0;
  double rate = 0.0;
  double loss_sum = 0.0;          ///< over the steps since the last evaluation
  std::uint64_t loss_steps = 0;   ///< number of these steps
  std::uint64_t since_best = 0;   ///< evaluations since the best one
  std::uint64_t since_decay = 0;  ///< evaluations since the last better score or decay of the rate
  double seconds = 0.0;
  std::vector<TaskEvaluation> evaluations;
};

/// Scores the model on the development data, in percent. Returns nothing if `stop` became true
/// before the end.
class TaskEvaluator {
 public:
  virtual ~TaskEvaluator() = default;
  virtual std::optional<double> score(TaskModel& model, const std::atomic<bool>& stop) = 0;
};

/// Stores the evaluations of a run. One thread.
class EvaluationLog {
 public:
  virtual ~EvaluationLog() = default;

  /// Replaces the stored evaluations by all of the run so far. Returns once they are on permanent
  /// storage.
  virtual void write(std::span<const TaskEvaluation> evaluations) = 0;
};

/// Services that a learner uses. All must outlive it.
struct TaskServices {
  TaskEvaluator& evaluator;
  EvaluationLog& log;
};

/// Trains until the plan's evaluations are done or their scores no longer improve. The model then
/// has the weights of the best evaluation. Not for two threads at once.
class TaskLearner {
 public:
  using Step = TaskStep;
  using Evaluation = TaskEvaluation;
  using State = TaskState;

  /// `model` and `trainer` must outlive this object.
  TaskLearner(TaskModel& model, TaskTrainer& trainer, const TaskPlan& plan,
              const TaskServices& services);

  /// Members that Learner requires.
  std::uint64_t step() const { return state_.step; }
  std::uint64_t tokens() const { return state_.tokens; }
  std::uint64_t last_step() const { return plan_.evaluations * steps_between_; }
  bool ended() const;
  std::optional<Evaluation> begin();
  Step make_step();
  void stepped(double /*seconds*/) {}
  bool evaluation_due() const;
  std::optional<Evaluation> evaluate(const std::atomic<bool>& stop,
                                     const EvaluationProgress& progress);
  void evaluated(const Evaluation& evaluation);
  std::vector<StateArray> arrays();
  State state() const { return state_; }
  void restore(State state) { state_ = std::move(state); }
  void sync() {}  // each evaluation is stored when it is made
  void finish(SessionEnd end);

  std::span<const TaskEvaluation> evaluations() const { return state_.evaluations; }
  /// The best evaluation, the first of equal ones. Requires at least one evaluation.
  const TaskEvaluation& best() const;

 private:
  TaskTrainer& trainer_;
  TaskModel& model_;
  TaskPlan plan_;
  TaskServices services_;
  std::uint64_t steps_between_;  // steps between evaluations
  std::vector<Parameter*> parameters_;
  WeightAverage average_;
  std::vector<AlignedVector<float>> best_values_;  // one array per parameter
  TaskState state_;
};

}  // namespace elmo
