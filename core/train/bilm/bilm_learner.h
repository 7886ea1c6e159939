// The biLM as what a session trains: steps of its trainer, records of them, validations, saved
// models.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/train/bilm/metrics.h"
#include "core/train/bilm/trainer.h"
#include "core/train/session.h"

namespace elmo {

/// Keeps the model as of now, in place of the one before.
class ModelStore {
 public:
  virtual ~ModelStore() = default;
  virtual void save(const Trainer& trainer) = 0;
};

/// How well a model predicts a text that is not trained on.
struct ValidationScores {
  std::uint64_t tokens = 0;
  double forward = 0.0;  ///< perplexities
  double backward = 0.0;
  double average = 0.0;
};

class Validator {
 public:
  virtual ~Validator() = default;

  /// Predicts the validation text, or the beginning of it that has `max_tokens` (0: all of it).
  /// Nothing where `stop` became true before its end.
  virtual std::optional<ValidationScores> validate(const Trainer& trainer, std::uint64_t max_tokens,
                                                   const std::atomic<bool>& stop,
                                                   const EvaluationProgress& progress) = 0;
};

/// When, and on how much of the validation text.
struct ValidationPlan {
  std::uint64_t every = 1000;    ///< steps; and at the plan's end
  std::uint64_t tokens = 50000;  ///< of the validation text; at the plan's end all of it
};

/// What a learner works with. All have to outlive it.
struct BilmServices {
  ModelStore& models;
  MetricsSink& metrics;
  Validator& validator;
};

/// All that a run needs, besides the trainer's arrays, to continue as if it had never stopped.
struct BilmState {
  TrainerCounters counters;
  StepMeans means;
  double seconds = 0.0;  ///< of the run so far
};

/// Trains to the last step of the trainer's plan. The model is saved at each validation, before its
/// perplexity is told, and where the run ends or stops. Of several ranks, rank 0 has it. Not for
/// two threads at once.
class BilmLearner {
 public:
  using Step = StepResult;
  using Evaluation = ValidationRecord;
  using State = BilmState;

  /// `trainer` has to outlive it.
  BilmLearner(Trainer& trainer, const ValidationPlan& validation, const BilmServices& services)
      : trainer_(trainer), plan_(validation), services_(services) {}

  /// As Learner has them.
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
  std::optional<std::uint64_t> validated_step_;  // of the last validation
  std::optional<std::uint64_t> saved_step_;      // of the model that was saved last
};

}  // namespace elmo
