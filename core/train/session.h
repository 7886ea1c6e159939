// A training run, from its beginning or from a checkpoint, until its plan ends or it is stopped. It
// runs steps, evaluations and checkpoints when they are due. One loop trains every model; a learner
// defines what a step is, what its state is, and how it is evaluated.
//
// A run reads and writes through small interfaces, which io implements. It reports to a listener
// and prints nothing.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/train/optimizer.h"

namespace elmo {

/// When a session writes checkpoints, and when it stops.
struct SessionOptions {
  std::uint64_t checkpoint_steps = 0;  ///< steps between checkpoints; 0: use `checkpoint_seconds`
  double checkpoint_seconds = 600.0;
  std::uint64_t max_steps = 0;  ///< maximum for this process; 0: no limit
  double max_seconds = 0.0;     ///< maximum for this process, by its clock; 0: no limit
};

/// Result of a step of any learner. Learners derive their own from it.
struct SessionStep {
  std::uint64_t step = 0;    ///< steps done, including this one
  std::uint64_t tokens = 0;  ///< tokens that the step trained on
  bool stop = false;         ///< another process of the run was asked to stop
};

/// Why a session ended.
enum class SessionEnd {
  completed,     ///< the plan's end was reached
  was_complete,  ///< the plan's end had been reached before
  stopped        ///< stopped early; a checkpoint is written
};

/// Called periodically during an evaluation with the number of tokens predicted so far.
using EvaluationProgress = std::function<void(std::uint64_t tokens)>;

/// A model in training. Not for two threads at once. Errors: as the learner's own; everything
/// written before is kept.
template <typename L>
concept Learner = requires(L& learner, const L& constant, typename L::State state,
                           typename L::Evaluation evaluation, const std::atomic<bool>& stop,
                           const EvaluationProgress& progress, SessionEnd end, double seconds) {
  /// Result of make_step().
  requires std::derived_from<typename L::Step, SessionStep>;

  /// Steps and tokens done so far in all processes, and the last step of the plan. The run may end
  /// earlier.
  { constant.step() } -> std::same_as<std::uint64_t>;
  { constant.tokens() } -> std::same_as<std::uint64_t>;
  { constant.last_step() } -> std::same_as<std::uint64_t>;
  /// True if no step follows.
  { constant.ended() } -> std::same_as<bool>;

  /// Called once, before the first step. Returns the last evaluation before it.
  { learner.begin() } -> std::same_as<std::optional<typename L::Evaluation>>;

  { learner.make_step() } -> std::same_as<typename L::Step>;
  /// Called after make_step() with the seconds since the run began.
  learner.stepped(seconds);

  { constant.evaluation_due() } -> std::same_as<bool>;
  /// Returns nothing if `stop` became true before the end.
  { learner.evaluate(stop, progress) } -> std::same_as<std::optional<typename L::Evaluation>>;
  /// Called after evaluate(), with the seconds of the run filled in.
  learner.evaluated(evaluation);
  /// True if evaluations change the state, so that it is stored again after the last one.
  { L::kEvaluationsChangeState } -> std::convertible_to<bool>;

  /// Everything that the run needs to continue as if it had never stopped: arrays, as views that
  /// are valid until the next step, and the other state, whose `seconds` the session fills in.
  { learner.arrays() } -> std::same_as<std::vector<StateArray>>;
  { constant.state() } -> std::same_as<typename L::State>;
  { state.seconds } -> std::convertible_to<double>;
  learner.restore(std::move(state));
  /// Returns once the run's records are on permanent storage. Called before a checkpoint.
  learner.sync();

  /// Called once, last. Leaves the model in its final state.
  learner.finish(end);
};

/// Stores checkpoints. One thread.
template <typename State>
class CheckpointStore {
 public:
  virtual ~CheckpointStore() = default;

  /// Returns once the checkpoint is on permanent storage. If it throws, earlier checkpoints are
  /// unchanged.
  virtual void write(const State& state, std::span<const StateArray> arrays) = 0;

  /// Copies the arrays of the newest checkpoint to `arrays` and returns its state, or nothing if
  /// there is no checkpoint.
  virtual std::optional<State> restore(std::span<const StateArray> arrays) = 0;
};

/// Progress of a run.
template <typename L>
struct SessionProgress {
  std::uint64_t step = 0;
  std::uint64_t last_step = 0;     ///< last step of the plan; the run may end earlier
  std::uint64_t tokens = 0;        ///< trained on so far
  double tokens_per_second = 0.0;  ///< speed of this process
  double seconds_left = 0.0;       ///< time to the last step, at this process's speed
  typename L::Step last;           ///< the last step done
  std::optional<typename L::Evaluation> evaluation;  ///< the last one
};

/// Receives events on the thread that runs the session. An exception from it ends the run.
template <typename L>
class SessionListener {
 public:
  virtual ~SessionListener() = default;
  virtual void stepped(const SessionProgress<L>& /*progress*/) {}
  virtual void evaluating(std::uint64_t /*step*/, std::uint64_t /*tokens*/) {}
  /// `last`: the step before the evaluation; null if another process did it.
  virtual void evaluated(const typename L::Evaluation& /*evaluation*/,
                         const typename L::Step* /*last*/) {}
};

/// Services that a session uses. The references must outlive it.
template <typename L>
struct SessionServices {
  CheckpointStore<typename L::State>& checkpoints;
  SessionListener<L>& listener;
  /// A monotonic clock: seconds since this process joined the run.
  std::function<double()> clock;
};

/// If several processes train one model, one of them has a session. Not for two threads at once.
template <Learner L>
class Session {
 public:
  /// `learner` must outlive this object.
  Session(L& learner, const SessionOptions& options, SessionServices<L> services)
      : learner_(learner),
        options_(options),
        services_(std::move(services)),
        checkpoint_seconds_(services_.clock()) {}

  /// Restores the newest checkpoint. Returns false if no checkpoint is stored. Call it before
  /// run(). Errors: as the store's.
  bool resume() {
    std::optional<typename L::State> state = services_.checkpoints.restore(learner_.arrays());
    if (!state) return false;
    seconds_before_ = state->seconds;
    learner_.restore(*std::move(state));
    checkpoint_step_ = first_step_ = learner_.step();
    is_stored_ = true;
    first_tokens_ = learner_.tokens();
    return true;
  }

  /// Trains until the learner has ended, `stop` is true, another process was asked to stop, or a
  /// limit of this process is reached. Errors: as the learner's and the services'; everything
  /// written before is kept.
  SessionEnd run(const std::atomic<bool>& stop) {
    evaluation_ = learner_.begin();
    SessionEnd end = SessionEnd::was_complete;
    if (!learner_.ended() || learner_.evaluation_due()) {
      started_ = services_.clock();
      end = train(stop) ? SessionEnd::completed : SessionEnd::stopped;
      if (!is_stored_) write_checkpoint();
    }
    learner_.finish(end);
    return end;
  }

  double seconds() const {  ///< time of the run so far, including earlier processes
    return seconds_before_ + services_.clock();
  }
  /// Step of the newest checkpoint, or nothing before the first one.
  std::optional<std::uint64_t> checkpoint_step() const { return checkpoint_step_; }

 private:
  // Returns false if the run was stopped.
  bool train(const std::atomic<bool>& stop) {
    while (true) {
      // If another process was asked to stop, it may be killed soon, so evaluation waits.
      const bool stop_there = last_ && last_->stop;
      if (learner_.evaluation_due() && (stop_there || !evaluate(stop))) return false;
      if (learner_.ended()) return true;
      if (stop || stop_there || limit_reached()) return false;
      make_step();
      if (checkpoint_due()) write_checkpoint();
    }
  }

  void make_step() {
    const double begin = services_.clock();
    last_ = learner_.make_step();
    is_stored_ = false;
    step_seconds_ += services_.clock() - begin;
    learner_.stepped(seconds());
    services_.listener.stepped(progress());
  }

  // Returns false if the run was stopped.
  bool evaluate(const std::atomic<bool>& stop) {
    // An evaluation may save the model, and a run with a saved model needs a checkpoint to resume
    // from.
    if (!checkpoint_step_) write_checkpoint();
    evaluation_ = learner_.evaluate(stop, [this](std::uint64_t tokens) {
      services_.listener.evaluating(learner_.step(), tokens);
    });
    if (!evaluation_) return false;
    evaluation_->seconds = seconds();
    learner_.evaluated(*evaluation_);
    if (L::kEvaluationsChangeState) is_stored_ = false;
    services_.listener.evaluated(*evaluation_, last_ ? &*last_ : nullptr);
    return true;
  }

  bool limit_reached() const {
    if (options_.max_steps > 0 && learner_.step() - first_step_ >= options_.max_steps) return true;
    return options_.max_seconds > 0.0 && services_.clock() >= options_.max_seconds;
  }

  // The last step is stored in a checkpoint before its evaluation, which may take long.
  bool checkpoint_due() const {
    if (learner_.ended()) return true;
    if (options_.checkpoint_steps > 0) return learner_.step() % options_.checkpoint_steps == 0;
    return services_.clock() - checkpoint_seconds_ >= options_.checkpoint_seconds;
  }

  void write_checkpoint() {
    learner_.sync();
    typename L::State state = learner_.state();
    state.seconds = seconds();
    services_.checkpoints.write(state, learner_.arrays());
    checkpoint_step_ = learner_.step();
    is_stored_ = true;
    checkpoint_seconds_ = services_.clock();
  }

  SessionProgress<L> progress() const {
    const auto steps = static_cast<double>(learner_.step() - first_step_);
    SessionProgress<L> progress;
    progress.step = learner_.step();
    progress.last_step = learner_.last_step();
    progress.tokens = learner_.tokens();
    if (step_seconds_ > 0.0) {
      progress.tokens_per_second =
          static_cast<double>(progress.tokens - first_tokens_) / step_seconds_;
    }
    progress.seconds_left = (services_.clock() - started_) / steps *
                            static_cast<double>(progress.last_step - progress.step);
    progress.last = *last_;
    progress.evaluation = evaluation_;
    return progress;
  }

  L& learner_;
  SessionOptions options_;
  SessionServices<L> services_;

  double seconds_before_ = 0.0;           // seconds of earlier processes
  std::optional<typename L::Step> last_;  // last step of this process
  std::optional<typename L::Evaluation> evaluation_;
  std::optional<std::uint64_t> checkpoint_step_;
  bool is_stored_ = false;  // the newest checkpoint holds the learner's state

  std::uint64_t first_step_ = 0;  // first step of this process
  std::uint64_t first_tokens_ = 0;
  double started_ = 0.0;             // clock time at the beginning of the first step
  double step_seconds_ = 0.0;        // time spent in steps
  double checkpoint_seconds_ = 0.0;  // clock time of the last checkpoint
};

}  // namespace elmo
