// The training of a task model from its beginning, or from a checkpoint, to its plan's end or to
// where it is stopped: steps, evaluations on development data, the learning rate's decay, the best
// weights.
//
// What a run writes and reads goes through small interfaces, which io implements. Whoever starts a
// run listens to it; the session itself prints nothing.
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

/// All that a run needs, beside its arrays, to continue as if it had never stopped.
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

/// Keeps checkpoints. One thread.
class TaskCheckpoints {
 public:
  virtual ~TaskCheckpoints() = default;

  /// Returns when the checkpoint cannot be lost any more.
  virtual void write(const TaskState& state, std::span<const StateArray> arrays) = 0;

  /// The newest checkpoint, its arrays copied to `arrays`; nothing where there is none.
  virtual std::optional<TaskState> restore(std::span<const StateArray> arrays) = 0;
};

/// Says how good the model is on the development data, in percent; nothing where `stop` became true
/// before its end.
class TaskEvaluator {
 public:
  virtual ~TaskEvaluator() = default;
  virtual std::optional<double> score(TaskModel& model, const std::atomic<bool>& stop) = 0;
};

/// Is told what happens, on the thread that runs the session. What it throws ends the run.
class TaskListener {
 public:
  virtual ~TaskListener() = default;
  /// `last_step`: of the plan, unless the run ends earlier.
  virtual void stepped(const TaskStep& /*step*/, const TaskState& /*state*/,
                       std::uint64_t /*last_step*/) {}
  virtual void evaluated(const TaskEvaluation& /*evaluation*/, const TaskState& /*state*/) {}
};

/// What a session works with. All have to outlive it.
struct TaskServices {
  TaskCheckpoints& checkpoints;
  TaskEvaluator& evaluator;
  TaskListener& listener;
  Clock& clock;
};

struct TaskSessionOptions {
  std::uint64_t checkpoint_steps = 0;  ///< between checkpoints; 0: `checkpoint_seconds` decide
  double checkpoint_seconds = 60.0;
  std::uint64_t max_steps = 0;  ///< of this process; 0: any number
};

/// Not for two threads at once.
class TaskSession {
 public:
  /// `model` and `trainer` have to outlive it.
  TaskSession(TaskModel& model, TaskTrainer& trainer, const TaskPlan& plan,
              const TaskSessionOptions& options, const TaskServices& services);

  /// Restores the newest checkpoint; false where there is none. Before run(). Errors: as the
  /// store's.
  bool resume();

  /// Trains to the plan's end: then the model has the weights of the best evaluation, and true is
  /// returned. False where `stop` became true or a limit of this process was reached: a checkpoint
  /// is written. Errors: as the trainer and the services throw them.
  bool run(const std::atomic<bool>& stop);

  const TaskState& state() const { return state_; }
  /// The best evaluation, the first of equal ones. Only after one.
  const TaskEvaluation& best() const;

 private:
  bool ended() const;
  bool evaluation_due() const;
  bool evaluate(const std::atomic<bool>& stop);
  void make_step();
  void write_checkpoint();
  bool checkpoint_due() const;
  std::vector<StateArray> arrays();
  double seconds() const { return seconds_before_ + services_.clock.seconds(); }

  TaskTrainer& trainer_;
  TaskModel& model_;
  TaskPlan plan_;
  TaskSessionOptions options_;
  TaskServices services_;
  std::uint64_t steps_between_;  // evaluations
  std::vector<Parameter*> parameters_;
  WeightAverage average_;
  std::vector<AlignedVector<float>> best_values_;  // of the parameters
  TaskState state_;

  std::uint64_t first_step_ = 0;  // of this process
  double seconds_before_ = 0.0;   // of the processes before
  double checkpoint_seconds_ = 0.0;
  std::optional<std::uint64_t> checkpoint_step_;
};

}  // namespace elmo
