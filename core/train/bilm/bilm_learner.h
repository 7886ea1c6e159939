// The biLM as a learner: adapts its trainer, metrics, validation and model store to a training
// session.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/train/bilm/trainer.h"
#include "core/train/session.h"

namespace elmo {

/// Means over the steps since the previous record.
struct TrainingRecord {
  std::uint64_t step = 0;    ///< last step of the means
  std::uint64_t tokens = 0;  ///< tokens predicted so far, in each direction
  double loss_forward = 0.0;
  double loss_backward = 0.0;
  float learning_rate = 0.0F;  ///< learning rate of the last step
  double gradient_norm = 0.0;
  double seconds = 0.0;  ///< since the run began, including earlier processes
};

/// Perplexities of a held-out text with the full softmax.
struct ValidationRecord {
  std::uint64_t step = 0;
  std::uint64_t tokens = 0;  ///< predicted tokens of the validation text
  double forward = 0.0;
  double backward = 0.0;
  double average = 0.0;
  double seconds = 0.0;  ///< see TrainingRecord
};

/// Sums over the steps since the last record. Checkpoints store them, so that a resumed run records
/// the same means. One thread.
struct StepMeans {
  std::uint64_t steps = 0;
  std::uint64_t last_step = 0;
  double loss_forward = 0.0;
  double loss_backward = 0.0;
  double gradient_norm = 0.0;
  float learning_rate = 0.0F;
  bool operator==(const StepMeans&) const = default;

  void add(const StepResult& step);

  /// Returns the record of the steps added since the last call. At least one step must have been
  /// added.
  TrainingRecord take(std::uint64_t run_tokens, double run_seconds);
};

/// Keeps the records of a run. One thread.
class MetricsSink {
 public:
  virtual ~MetricsSink() = default;

  /// Called once, before any other function. The run continues from `last_step`: drops the records
  /// of later steps and returns the last remaining validation.
  virtual std::optional<ValidationRecord> begin(std::uint64_t last_step) = 0;

  virtual void add(const TrainingRecord& record) = 0;
  virtual void add(const ValidationRecord& record) = 0;

  /// Returns once the records are on permanent storage.
  virtual void sync() = 0;
};

/// Interval of validations, and the amount of validation text to use.
struct ValidationPlan {
  std::uint64_t every = 1000;  ///< steps between validations; the end of the plan also has one
  /// Tokens of the validation text to predict; at the end of the plan, all of it.
  std::uint64_t tokens = 50000;
};

/// Services that a learner uses. `metrics` must outlive it.
struct BilmServices {
  /// Stores the current model in place of the previous one.
  std::function<void(const Trainer& trainer)> save_model;

  MetricsSink& metrics;

  /// Predicts the validation text, or its first `max_tokens` tokens (0: all of it). Returns its
  /// tokens and perplexities, or nothing if `stop` became true before the end.
  std::function<std::optional<ValidationRecord>(const Trainer& trainer, std::uint64_t max_tokens,
                                                const std::atomic<bool>& stop,
                                                const EvaluationProgress& progress)>
      validate;
};

/// State, besides the trainer's arrays, that a run needs to continue as if it had never stopped.
struct BilmState {
  TrainerCounters counters;
  StepMeans means;
  double seconds = 0.0;  ///< seconds of the run so far
};

/// Trains to the last step of the trainer's plan. Saves the model at each validation, before
/// reporting its perplexity, and when the run ends or stops. NumericError (diverged) instead if the
/// perplexity is not finite: the model that was saved before is kept. If there are several ranks,
/// rank 0 has the learner. Not for two threads at once.
class BilmLearner {
 public:
  using Step = StepResult;
  using Evaluation = ValidationRecord;
  using State = BilmState;

  /// `trainer` must outlive this object.
  BilmLearner(Trainer& trainer, const ValidationPlan& validation, BilmServices services)
      : trainer_(trainer), plan_(validation), services_(std::move(services)) {}

  /// Members that Learner requires.
  static constexpr bool kEvaluationsChangeState = false;
  std::uint64_t step() const { return trainer_.step_count(); }
  std::uint64_t tokens() const { return trainer_.token_count(); }
  std::uint64_t last_step() const { return trainer_.options().total_steps; }
  bool ended() const { return step() == last_step(); }
  std::optional<Evaluation> begin();
  Step make_step();
  void stepped(double seconds);
  bool evaluation_due() const;
  std::optional<Evaluation> evaluate(const std::atomic<bool>& stop,
                                     const EvaluationProgress& progress);
  void evaluated(const Evaluation& evaluation);
  std::vector<StateArray> arrays() { return trainer_.state(); }
  State state() const { return {trainer_.counters(), means_, 0.0}; }
  void restore(const State& state);
  void sync() { services_.metrics.sync(); }
  void finish(SessionEnd end);

 private:
  void save();

  Trainer& trainer_;
  ValidationPlan plan_;
  BilmServices services_;
  StepMeans means_;
  std::optional<std::uint64_t> validated_step_;  // step of the last validation
  std::optional<std::uint64_t> saved_step_;      // step of the last saved model
};

}  // namespace elmo
