// A training run from its beginning, or from a checkpoint, to its plan's end or to where it is
// stopped: steps, records, validations, saved models and checkpoints, each when it is due.
//
// What a run writes and reads goes through small interfaces, which io implements. Whoever starts a
// run listens to it; the session itself prints nothing.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "core/train/metrics.h"
#include "core/train/trainer.h"

namespace elmo {

struct SessionOptions {
  std::uint64_t total_steps = 0;       ///< of the plan
  std::uint64_t max_steps = 0;         ///< of this process; 0: any number
  double max_seconds = 0.0;            ///< of this process, by its clock; 0: any time
  std::uint64_t checkpoint_steps = 0;  ///< between checkpoints; 0: `checkpoint_seconds` decide
  double checkpoint_seconds = 600.0;
  std::uint64_t valid_every = 1000;    ///< steps
  std::uint64_t valid_tokens = 50000;  ///< of the validation text; at the plan's end all of it
};

/// All that a run needs, beside the trainer's arrays, to continue as if it had never stopped.
struct SessionState {
  TrainerCounters counters;
  StepMeans means;
  double seconds = 0.0;  ///< of the run so far
};

/// Keeps checkpoints. One thread.
class CheckpointStore {
 public:
  virtual ~CheckpointStore() = default;

  /// Returns when the checkpoint cannot be lost any more. Where it throws, those written before are
  /// as they were.
  virtual void write(const SessionState& state, std::span<const StateArray> arrays) = 0;

  /// The newest checkpoint, its arrays copied to `arrays`; nothing where there is none.
  virtual std::optional<SessionState> restore(std::span<const StateArray> arrays) = 0;
};

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

  /// Called now and then with the tokens predicted so far.
  using Progress = std::function<void(std::uint64_t tokens)>;

  /// Predicts the validation text, or the beginning of it that has `max_tokens` (0: all of it).
  /// Nothing where `stop` became true before its end.
  virtual std::optional<ValidationScores> validate(const Trainer& trainer, std::uint64_t max_tokens,
                                                   const std::atomic<bool>& stop,
                                                   const Progress& progress) = 0;
};

/// Time that does not go back.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual double seconds() = 0;  ///< since this process began with the run
};

/// What a session works with. All have to outlive it.
struct SessionServices {
  CheckpointStore& checkpoints;
  ModelStore& models;
  MetricsSink& metrics;
  Validator& validator;
  Clock& clock;
};

/// How far a run is.
struct SessionProgress {
  std::uint64_t step = 0;
  std::uint64_t total_steps = 0;
  std::uint64_t tokens = 0;                    ///< predicted so far, in each direction
  double tokens_per_second = 0.0;              ///< of this process's steps
  double seconds_left = 0.0;                   ///< to the plan's end, at the pace of this process
  StepResult last;                             ///< the step done last
  std::optional<ValidationRecord> validation;  ///< the last one
};

/// Is told what happens, on the thread that runs the session. What it throws ends the run.
class SessionListener {
 public:
  virtual ~SessionListener() = default;
  virtual void stepped(const SessionProgress& /*progress*/) {}
  virtual void validating(std::uint64_t /*step*/, std::uint64_t /*tokens*/) {}
  /// `last`: the step before the validation; null where another process did it.
  virtual void validated(const ValidationRecord& /*record*/, const StepResult* /*last*/) {}
};

/// How a session ended.
enum class SessionEnd {
  completed,     ///< the plan's end is reached
  was_complete,  ///< it had been reached before: the model was saved anew
  stopped        ///< a checkpoint of where it stopped is written
};

/// Of several ranks, rank 0 has a session. Not for two threads at once.
class TrainingSession {
 public:
  /// `trainer` and `listener` have to outlive it.
  TrainingSession(Trainer& trainer, const SessionOptions& options, const SessionServices& services,
                  SessionListener& listener);

  /// Restores the newest checkpoint; false where there is none. Before run(). Errors: as the
  /// store's.
  bool resume();

  /// Trains until the plan's end, until `stop` is true, another rank was asked to stop, or a limit
  /// of this process is reached. Where it stops early it writes a checkpoint and saves the model.
  /// Errors: as the trainer and the services throw them; what was written before is kept.
  SessionEnd run(const std::atomic<bool>& stop);

  std::uint64_t step() const { return step_; }      ///< done so far, in all processes
  std::uint64_t tokens() const { return tokens_; }  ///< predicted so far
  double seconds() const;                           ///< of the run so far
  /// The step of the newest checkpoint; none where there is none yet.
  std::optional<std::uint64_t> checkpoint_step() const { return checkpoint_step_; }

 private:
  bool train(const std::atomic<bool>& stop);
  void make_step();
  bool validation_due() const;
  bool validate(const std::atomic<bool>& stop);
  bool checkpoint_due() const;
  void write_checkpoint();
  bool limit_reached() const;
  SessionProgress progress() const;

  Trainer& trainer_;
  SessionOptions options_;
  SessionServices services_;
  SessionListener& listener_;

  std::uint64_t step_ = 0;
  std::uint64_t tokens_ = 0;
  StepMeans means_;
  double seconds_before_ = 0.0;  // of the processes before
  StepResult last_;              // of this process; its step is 0 before the first
  std::optional<ValidationRecord> validation_;
  std::optional<std::uint64_t> checkpoint_step_;

  std::uint64_t first_step_ = 0;  // of this process
  std::uint64_t first_tokens_ = 0;
  double started_ = 0.0;             // when its first step began, by the clock
  double step_seconds_ = 0.0;        // spent in steps
  double checkpoint_seconds_ = 0.0;  // when the last checkpoint was written, by the clock
};

}  // namespace elmo
