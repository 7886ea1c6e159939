// A training run from its beginning, or from a checkpoint, to its plan's end or to where it is
// stopped: steps, evaluations and checkpoints, each when it is due. One loop trains every model; a
// learner says what a step is, what its state is, and how it is evaluated.
//
// What a run writes and reads goes through small interfaces, which io implements. Whoever starts a
// run listens to it; the session itself prints nothing.
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

struct SessionOptions {
  std::uint64_t checkpoint_steps = 0;  ///< between checkpoints; 0: `checkpoint_seconds` decide
  double checkpoint_seconds = 600.0;
  std::uint64_t max_steps = 0;  ///< of this process; 0: any number
  double max_seconds = 0.0;     ///< of this process, by its clock; 0: any time
};

/// What a step of any learner reports; a learner's own adds to it.
struct SessionStep {
  std::uint64_t step = 0;    ///< steps done, this one included
  std::uint64_t tokens = 0;  ///< that it was trained on
  bool stop = false;         ///< another process of the run was asked to stop
};

/// How a session ended.
enum class SessionEnd {
  completed,     ///< the plan's end is reached
  was_complete,  ///< it had been reached before
  stopped        ///< a checkpoint of where it stopped is written
};

/// Is called now and then in an evaluation, with the tokens predicted so far.
using EvaluationProgress = std::function<void(std::uint64_t tokens)>;

/// What a session trains. Not for two threads at once. Errors: as its own; what was written before
/// is kept.
template <typename L>
concept Learner = requires(L& learner, const L& constant, typename L::State state,
                           typename L::Evaluation evaluation, const std::atomic<bool>& stop,
                           const EvaluationProgress& progress, SessionEnd end, double seconds) {
  /// What make_step() reports.
  requires std::derived_from<typename L::Step, SessionStep>;

  /// Done so far in all processes, and the last one of the plan, unless the run ends earlier.
  { constant.step() } -> std::same_as<std::uint64_t>;
  { constant.tokens() } -> std::same_as<std::uint64_t>;
  { constant.last_step() } -> std::same_as<std::uint64_t>;
  /// Whether no step follows.
  { constant.ended() } -> std::same_as<bool>;

  /// Called once, before the first step; gives the last evaluation before it.
  { learner.begin() } -> std::same_as<std::optional<typename L::Evaluation>>;

  { learner.make_step() } -> std::same_as<typename L::Step>;
  /// Called after it, with the seconds of the run so far.
  learner.stepped(seconds);

  { constant.evaluation_due() } -> std::same_as<bool>;
  /// Nothing where `stop` became true before its end.
  { learner.evaluate(stop, progress) } -> std::same_as<std::optional<typename L::Evaluation>>;
  /// Called after it, the seconds of the run filled in.
  learner.evaluated(evaluation);

  /// All that the run needs to continue as if it had never stopped: arrays, as views that are valid
  /// until the next step, and the rest, whose `seconds` the session fills in.
  { learner.arrays() } -> std::same_as<std::vector<StateArray>>;
  { constant.state() } -> std::same_as<typename L::State>;
  { state.seconds } -> std::convertible_to<double>;
  learner.restore(std::move(state));
  /// Returns when the run's records cannot be lost any more; before a checkpoint.
  learner.sync();

  /// Called once, last: leaves the model as the run wants it.
  learner.finish(end);
};

/// Keeps checkpoints. One thread.
template <typename State>
class CheckpointStore {
 public:
  virtual ~CheckpointStore() = default;

  /// Returns when the checkpoint cannot be lost any more. Where it throws, those written before are
  /// as they were.
  virtual void write(const State& state, std::span<const StateArray> arrays) = 0;

  /// The newest checkpoint, its arrays copied to `arrays`; nothing where there is none.
  virtual std::optional<State> restore(std::span<const StateArray> arrays) = 0;
};

/// Time that does not go back.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual double seconds() = 0;  ///< since this process began with the run
};

/// How far a run is.
template <typename L>
struct SessionProgress {
  std::uint64_t step = 0;
  std::uint64_t last_step = 0;     ///< of the plan, unless the run ends earlier
  std::uint64_t tokens = 0;        ///< trained on so far
  double tokens_per_second = 0.0;  ///< of this process's steps
  double seconds_left = 0.0;       ///< to the last step, at the pace of this process
  typename L::Step last;           ///< the step done last
  std::optional<typename L::Evaluation> evaluation;  ///< the last one
};

/// Is notified of events, on the thread that runs the session. What it throws ends the run.
template <typename L>
class SessionListener {
 public:
  virtual ~SessionListener() = default;
  virtual void stepped(const SessionProgress<L>& /*progress*/) {}
  virtual void evaluating(std::uint64_t /*step*/, std::uint64_t /*tokens*/) {}
  /// `last`: the step before the evaluation; null where another process did it.
  virtual void evaluated(const typename L::Evaluation& /*evaluation*/,
                         const typename L::Step* /*last*/) {}
};

/// What a session works with. All have to outlive it.
template <typename L>
struct SessionServices {
  CheckpointStore<typename L::State>& checkpoints;
  SessionListener<L>& listener;
  Clock& clock;
};

/// Of several processes that train one model, one has a session. Not for two threads at once.
template <Learner L>
class Session {
 public:
  /// `learner` has to outlive it.
  Session(L& learner, const SessionOptions& options, const SessionServices<L>& services)
      : learner_(learner),
        options_(options),
        services_(services),
        checkpoint_seconds_(services.clock.seconds()) {}

  /// Restores the newest checkpoint; false where there is none. Before run(). Errors: as the
  /// store's.
  bool resume() {
    std::optional<typename L::State> state = services_.checkpoints.restore(learner_.arrays());
    if (!state) return false;
    seconds_before_ = state->seconds;
    learner_.restore(*std::move(state));
    checkpoint_step_ = first_step_ = learner_.step();
    first_tokens_ = learner_.tokens();
    return true;
  }

  /// Trains until the learner has ended, until `stop` is true, another process was asked to stop,
  /// or a limit of this process is reached. Errors: as the learner and the services throw them;
  /// what was written before is kept.
  SessionEnd run(const std::atomic<bool>& stop) {
    evaluation_ = learner_.begin();
    SessionEnd end = SessionEnd::was_complete;
    if (!learner_.ended() || learner_.evaluation_due()) {
      started_ = services_.clock.seconds();
      end = train(stop) ? SessionEnd::completed : SessionEnd::stopped;
      if (checkpoint_step_ != learner_.step()) write_checkpoint();
    }
    learner_.finish(end);
    return end;
  }

  double seconds() const {  ///< of the run so far, those of the processes before included
    return seconds_before_ + services_.clock.seconds();
  }
  /// The step of the newest checkpoint; none where there is none yet.
  std::optional<std::uint64_t> checkpoint_step() const { return checkpoint_step_; }

 private:
  // False where it was stopped.
  bool train(const std::atomic<bool>& stop) {
    while (true) {
      // Another process that is asked to stop may soon be ended: evaluating can wait.
      const bool stop_there = last_ && last_->stop;
      if (learner_.evaluation_due() && (stop_there || !evaluate(stop))) return false;
      if (learner_.ended()) return true;
      if (stop || stop_there || limit_reached()) return false;
      make_step();
      if (checkpoint_due()) write_checkpoint();
    }
  }

  void make_step() {
    const double begin = services_.clock.seconds();
    last_ = learner_.make_step();
    step_seconds_ += services_.clock.seconds() - begin;
    learner_.stepped(seconds());
    services_.listener.stepped(progress());
  }

  // False where it was stopped.
  bool evaluate(const std::atomic<bool>& stop) {
    evaluation_ = learner_.evaluate(stop, [this](std::uint64_t tokens) {
      services_.listener.evaluating(learner_.step(), tokens);
    });
    if (!evaluation_) return false;
    evaluation_->seconds = seconds();
    // A model that is saved now has a checkpoint, so that its run can be resumed.
    if (!checkpoint_step_) write_checkpoint();
    learner_.evaluated(*evaluation_);
    services_.listener.evaluated(*evaluation_, last_ ? &*last_ : nullptr);
    return true;
  }

  bool limit_reached() const {
    if (options_.max_steps > 0 && learner_.step() - first_step_ >= options_.max_steps) return true;
    return options_.max_seconds > 0.0 && services_.clock.seconds() >= options_.max_seconds;
  }

  // The last step has one before its evaluation, which may take long.
  bool checkpoint_due() const {
    if (learner_.ended()) return true;
    if (options_.checkpoint_steps > 0) return learner_.step() % options_.checkpoint_steps == 0;
    return services_.clock.seconds() - checkpoint_seconds_ >= options_.checkpoint_seconds;
  }

  void write_checkpoint() {
    learner_.sync();
    typename L::State state = learner_.state();
    state.seconds = seconds();
    services_.checkpoints.write(state, learner_.arrays());
    checkpoint_step_ = learner_.step();
    checkpoint_seconds_ = services_.clock.seconds();
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
    progress.seconds_left = (services_.clock.seconds() - started_) / steps *
                            static_cast<double>(progress.last_step - progress.step);
    progress.last = *last_;
    progress.evaluation = evaluation_;
    return progress;
  }

  L& learner_;
  SessionOptions options_;
  SessionServices<L> services_;

  double seconds_before_ = 0.0;           // of the processes before
  std::optional<typename L::Step> last_;  // of this process
  std::optional<typename L::Evaluation> evaluation_;
  std::optional<std::uint64_t> checkpoint_step_;

  std::uint64_t first_step_ = 0;  // of this process
  std::uint64_t first_tokens_ = 0;
  double started_ = 0.0;             // when its first step began, by the clock
  double step_seconds_ = 0.0;        // spent in steps
  double checkpoint_seconds_ = 0.0;  // when the last checkpoint was written, by the clock
};

}  // namespace elmo
