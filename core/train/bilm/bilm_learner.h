// The biLM as a learner: adapts its trainer, metrics, validation and model store to a training
// session.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/train/bilm/metrics.h"
#include "core/train/bilm/trainer.h"
#include "core/train/session.h"

namespace elmo {

/// Stores the current model in place of the previous one.
class ModelStore {
 public:
  virtual ~ModelStore() = default;
  virtual void save(const Trainer& trainer) = 0;
};

/// How well a model predicts a held-out text.
struct ValidationScores {
  std::uint64_t tokens = 0;
  double forward = 0.0;  ///< perplexities
  double backward = 0.0;
  double average = 0.0;
};

class Validator {
 public:
  virtual ~Validator() = default;

  /// Predicts the validation text, or its first `max_tokens` tokens (0: all of it). Returns nothing
  /// if `stop` became true before the end.
  virtual std::optional<ValidationScores> validate(const Trainer& trainer, std::uint64_t max_tokens,
                                                   const std::atomic<bool>& stop,
                                                   const EvaluationProgress& progress) = 0;
};

/// When to validate, and on how much of the validation text.
struct ValidationPlan {
  std::uint64_t every = 1000;    ///< steps between validations; the end of the plan also has one
  std::uint64_t tokens = 50000;  ///< of the validation text; all of it at the end of the plan
};

/// Services that a learner uses. All must outlive it.
struct BilmServices {
  ModelStore& models;
  MetricsSink& metrics;
  Validator& validator;
};

/// State, besides the trainer's arrays, that a run needs to continue as if it had never stopped.
struct BilmState {
  TrainerCounters counters;
  StepMeans means;
  double seconds = 0.0;  ///< of the run so far
};

/// Trains to the last step of the trainer's plan. Saves the model at each validation, before
/// reporting its perplexity, and when the run ends or stops. If there are several ranks, rank 0 has
/// the learner. Not for two threads at once.
class BilmLearner {
 public:
  using Step = StepResult;
  using Evaluation = ValidationRecord;
  using State = BilmState;

  /// `trainer` must outlive this object.
  BilmLearner(Trainer& trainer, const ValidationPlan& validation, const BilmServices& services)
      : trainer_(trainer), plan_(validation), services_(services) {}

  /// Members that Learner requires.
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
