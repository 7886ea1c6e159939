// A task model as what a session trains: steps of its trainer, evaluations on development data, the
// learning rate's decay, the best weights.
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
  std::uint64_t number = 0;  ///< 1 for the first
  std::uint64_t step = 0;    ///< steps done before it
  double loss = 0.0;         ///< mean of the steps since the one before
  double score = 0.0;        ///< F1 of spans, or accuracy; percent
  double rate = 0.0;         ///< of the last step
  double seconds = 0.0;      ///< of the run so far, those of the processes before included
  bool best = false;         ///< so far
};

/// All that a run needs, besides its arrays, to continue as if it had never stopped.
struct TaskState {
  std::uint64_t step = 0;
  std::uint64_t tokens = 0;
  double rate = 0.0;
  double loss_sum = 0.0;          ///< of the steps since the last evaluation
  std::uint64_t loss_steps = 0;   ///< their number
  std::uint64_t since_best = 0;   ///< evaluations
  std::uint64_t since_decay = 0;  ///< evaluations without a better score, or since the rate fell
  double seconds = 0.0;
  std::vector<TaskEvaluation> evaluations;
};

/// Says how good the model is on the development data, in percent; nothing where `stop` became true
/// before its end.
class TaskEvaluator {
 public:
  virtual ~TaskEvaluator() = default;
  virtual std::optional<double> score(TaskModel& model, const std::atomic<bool>& stop) = 0;
};

/// Keeps the evaluations of a run. One thread.
class EvaluationLog {
 public:
  virtual ~EvaluationLog() = default;

  /// All of the run so far, in place of those kept before. Returns when they cannot be lost any
  /// more.
  virtual void write(std::span<const TaskEvaluation> evaluations) = 0;
};

/// What a learner works with. All have to outlive it.
struct TaskServices {
  TaskEvaluator& evaluator;
  EvaluationLog& log;
};

/// Trains until the plan's evaluations are made or their scores get no better; the model then has
/// the weights of the best one. Not for two threads at once.
class TaskLearner {
 public:
  using Step = TaskStep;
  using Evaluation = TaskEvaluation;
  using State = TaskState;

  /// `model` and `trainer` have to outlive it.
  TaskLearner(TaskModel& model, TaskTrainer& trainer, const TaskPlan& plan,
              const TaskServices& services);

  /// As Learner has them.
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
  void sync() {}  // each evaluation is kept when it is made
  void finish(SessionEnd end);

  std::span<const TaskEvaluation> evaluations() const { return state_.evaluations; }
  /// The best evaluation, the first of equal ones. Only after one.
  const TaskEvaluation& best() const;

 private:
  TaskTrainer& trainer_;
  TaskModel& model_;
  TaskPlan plan_;
  TaskServices services_;
  std::uint64_t steps_between_;  // evaluations
  std::vector<Parameter*> parameters_;
  WeightAverage average_;
  std::vector<AlignedVector<float>> best_values_;  // of the parameters
  TaskState state_;
};

}  // namespace elmo
