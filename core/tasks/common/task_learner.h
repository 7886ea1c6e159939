// Training of a task model: its steps, and a session's learner, which adds evaluations on
// development data, learning rate decay and the choice of the best weights.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/matrix.h"
#include "core/nn/layer.h"
#include "core/tasks/common/label_scores.h"
#include "core/tasks/common/task_corpus.h"
#include "core/tasks/common/task_kind.h"
#include "core/tasks/common/task_model.h"
#include "core/train/optimizer.h"
#include "core/train/session.h"
#include "core/workers.h"

namespace elmo {

/// average ← d · average + (1 − d) · weights after each step, with d = min(decay, (1 + n) / (10 +
/// n)) at step n, so that the initial weights are soon forgotten (Polyak and Juditsky 1992).
/// Parameters with more than 2^22 elements, such as large tables of word vectors, are not averaged.
/// Not for two threads at once.
class WeightAverage {
 public:
  /// `parameters` must outlive this object. With a decay of 0, the average is the weights
  /// themselves.
  WeightAverage(const std::vector<Parameter*>& parameters, float decay);

  /// Updates the average after step `step` (from 0).
  void add(std::uint64_t step);

  /// Swaps the weights and their averages. Views of the weights are invalid until a second call
  /// swaps them back.
  void swap();

  /// Views of the averages, named "average/NAME".
  std::vector<StateArray> state();

 private:
  std::vector<Parameter*> parameters_;  // the averaged ones
  float decay_;
  std::vector<AlignedVector<float>> averages_;  // one array per parameter
};

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
  std::vector<StateArray> state() { return optimizer_.state(); }

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

/// An evaluation on the development data.
struct TaskEvaluation {
  std::uint64_t number = 0;  ///< counted from 1
  std::uint64_t step = 0;    ///< steps done before it
  double loss = 0.0;         ///< mean over the steps since the previous evaluation
  double score = 0.0;        ///< value of the kind's metric
  double rate = 0.0;         ///< learning rate of the last step
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

/// Predicts all examples of a corpus, adds them to `scores` and returns the score.
/// Returns nothing if `stop` became true before the end.
std::optional<double> score_corpus(TaskModel& model, TaskCorpus& corpus, TaskScores& scores,
                                   Workers& workers, const std::atomic<bool>& stop);

/// Services that a learner uses.
struct TaskServices {
  /// Scores the model on the development data, as score_corpus() does, by `metric`.
  std::function<std::optional<double>(const std::atomic<bool>& stop)> score;

  /// Replaces the stored evaluations by all evaluations of the run so far. Returns once they are on
  /// permanent storage.
  std::function<void(std::span<const TaskEvaluation> evaluations)> log;

  TaskMetric metric;
};

/// Trains until the plan's evaluations are done or their scores no longer improve. The model then
/// has the weights of the best evaluation. Not for two threads at once.
class TaskLearner {
 public:
  using Step = TaskStep;
  using Evaluation = TaskEvaluation;
  using State = TaskState;

  /// `model` and `trainer` must outlive this object.
  TaskLearner(TaskModel& model, TaskTrainer& trainer, const TaskPlan& plan, TaskServices services);

  /// Members that Learner requires.
  static constexpr bool kEvaluationsChangeState = true;
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
  TaskPlan plan_;
  TaskServices services_;
  std::uint64_t steps_between_;  // steps between evaluations
  std::vector<Parameter*> parameters_;
  WeightAverage average_;
  std::vector<AlignedVector<float>> best_values_;  // one array per parameter
  TaskState state_;
};

}  // namespace elmo
