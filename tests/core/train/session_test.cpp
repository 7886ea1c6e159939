#include "core/train/session.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/train/bilm/bilm_learner.h"
#include "tests/core/train/little_training.h"

namespace elmo {
namespace {

/// A clock that ticks once per call, independent of the machine.
std::function<double()> ticking_clock(double tick) {
  return [now = 0.0, tick]() mutable { return now += tick; };
}

class MemoryCheckpoints final : public CheckpointStore<BilmState> {
 public:
  void write(const BilmState& state, std::span<const StateArray> arrays) override {
    if (failing) throw SystemError("the disk is full");
    steps.push_back(state.counters.step);
    state_ = state;
    values_.clear();
    for (const StateArray& array : arrays) {
      values_.emplace_back(array.values.begin(), array.values.end());
    }
  }
  std::optional<BilmState> restore(std::span<const StateArray> arrays) override {
    if (!state_) return std::nullopt;
    REQUIRE(arrays.size() == values_.size());
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      std::copy(values_[i].begin(), values_[i].end(), arrays[i].values.begin());
    }
    return state_;
  }

  bool failing = false;
  std::vector<std::uint64_t> steps;  ///< step of each checkpoint

 private:
  std::optional<BilmState> state_;
  std::vector<std::vector<float>> values_;
};

class MemoryMetrics final : public MetricsSink {
 public:
  std::optional<ValidationRecord> begin(std::uint64_t last_step) override {
    const auto later = [last_step](const auto& record) { return record.step > last_step; };
    std::erase_if(training, later);
    std::erase_if(validation, later);
    return validation.empty() ? std::nullopt : std::optional(validation.back());
  }
  void add(const TrainingRecord& record) override { training.push_back(record); }
  void add(const ValidationRecord& record) override { validation.push_back(record); }
  void sync() override { ++syncs; }

  std::vector<TrainingRecord> training;
  std::vector<ValidationRecord> validation;
  int syncs = 0;
};

/// Keeps the last saved model.
struct CountingModels {
  void save(const Trainer& trainer) {
    ++saved;
    last = copy_of(trainer.model().parameters);
  }
  int saved = 0;
  std::vector<AlignedVector<float>> last;
};

/// Computes scores from a weight of the model.
struct FakeValidator {
  std::optional<ValidationRecord> validate(const Trainer& trainer, std::uint64_t max_tokens,
                                           const std::atomic<bool>& stop,
                                           const EvaluationProgress& progress) {
    limits.push_back(max_tokens);
    progress(7);
    if (stop) return std::nullopt;
    if (limits.size() == failing_call) throw NumericError("activations are not finite");
    const auto first = limits.size() == infinite_call
                           ? std::numeric_limits<double>::infinity()
                           : static_cast<double>(trainer.model().parameters[0].values[0]);
    return ValidationRecord{0, max_tokens, first, 2.0 * first, 1.5 * first, 0.0};
  }
  std::vector<std::uint64_t> limits;
  std::size_t failing_call = 0;   ///< from 1
  std::size_t infinite_call = 0;  ///< from 1
};

/// Raises a flag after a number of steps in this process, and records notifications.
class StoppingListener final : public SessionListener<BilmLearner> {
 public:
  explicit StoppingListener(std::uint64_t steps = 0) : left_(steps) {}
  void stepped(const SessionProgress<BilmLearner>& progress) override {
    told.push_back(progress);
    if (left_ > 0 && --left_ == 0) stop = true;
  }
  void evaluating(std::uint64_t, std::uint64_t tokens) override {
    CHECK(tokens == 7);
    if (stop_in_validation) stop = true;
  }
  void evaluated(const ValidationRecord& record, const StepResult* last) override {
    validated_steps.push_back(record.step);
    had_last.push_back(last != nullptr);
  }

  std::atomic<bool> stop = false;
  bool stop_in_validation = false;
  std::vector<SessionProgress<BilmLearner>> told;
  std::vector<std::uint64_t> validated_steps;
  std::vector<bool> had_last;

 private:
  std::uint64_t left_;
};

constexpr std::uint64_t kSessionSteps = 30;  // total_steps of mixed()

SessionOptions plan() { return {.checkpoint_steps = 8}; }

TrainingOptions on_one_thread(TrainingOptions options) {
  options.threads = 1;
  return options;
}

/// State that outlives the processes of a run.
struct SessionRun {
  MemoryCheckpoints checkpoints;
  MemoryMetrics metrics;
  CountingModels models;
  FakeValidator validator;
  ValidationPlan validation{12, 99};

  LittleCorpus words;
  Corpus corpus = words.view();
  TrainingOptions training = on_one_thread(mixed(Optimizer::adam));

  BilmServices services() {
    const auto save = [this](const Trainer& trainer) {
      CHECK_FALSE(checkpoints.steps.empty());  // otherwise the run could not be resumed
      models.save(trainer);
    };
    return {save, metrics,
            [this](const Trainer& trainer, std::uint64_t max_tokens, const std::atomic<bool>& stop,
                   const EvaluationProgress& progress) {
              return validator.validate(trainer, max_tokens, stop, progress);
            }};
  }

  /// One process of the run.
  SessionEnd process(const SessionOptions& options, StoppingListener& listener,
                     bool resumes = true) {
    Trainer trainer = make_trainer(words, corpus, small_options(), training);
    BilmLearner learner(trainer, validation, services());
    Session<BilmLearner> session(learner, options, {checkpoints, listener, ticking_clock(tick)});
    if (resumes) session.resume();
    const SessionEnd end = session.run(listener.stop);
    step = learner.step();
    CHECK(session.checkpoint_step() == step);
    parameters = copy_of(trainer.model().parameters);
    return end;
  }

  double tick = 0.001;
  std::uint64_t step = 0;
  std::vector<AlignedVector<float>> parameters;
};

/// Removes values that differ between uninterrupted and interrupted runs.
std::vector<std::vector<double>> numbers_of(const MemoryMetrics& metrics) {
  std::vector<std::vector<double>> numbers;
  for (const TrainingRecord& r : metrics.training) {
    numbers.push_back({static_cast<double>(r.step), static_cast<double>(r.tokens), r.loss_forward,
                       r.loss_backward, static_cast<double>(r.learning_rate), r.gradient_norm});
  }
  for (const ValidationRecord& r : metrics.validation) {
    numbers.push_back({static_cast<double>(r.step), static_cast<double>(r.tokens), r.forward,
                       r.backward, r.average});
  }
  return numbers;
}

TEST_CASE("a session records, validates, saves and writes checkpoints when they are due") {
  SessionRun run;
  StoppingListener listener;
  CHECK(run.process(plan(), listener) == SessionEnd::completed);
  CHECK(run.step == kSessionSteps);
  CHECK(run.checkpoints.steps == std::vector<std::uint64_t>{8, 16, 24, 30});
  CHECK(run.metrics.syncs == 4);
  REQUIRE(run.metrics.training.size() == 3);
  CHECK(run.metrics.training[0].step == 10);
  CHECK(listener.validated_steps == std::vector<std::uint64_t>{12, 24, 30});
  CHECK(run.validator.limits ==
        std::vector<std::uint64_t>{99, 99, 0});  // the whole text at the end
  CHECK(run.models.saved == 3);
  CHECK(run.models.last == run.parameters);
  REQUIRE(listener.told.size() == kSessionSteps);
  CHECK(listener.told[14].step == 15);
  CHECK(listener.told[14].tokens == 15 * 15);
  CHECK(listener.told[14].evaluation->step == 12);
  CHECK_FALSE(listener.told[11].evaluation);
  CHECK(listener.told.back().seconds_left == 0.0);
}

TEST_CASE("a run has a checkpoint when its model is saved") {
  SessionRun run;
  StoppingListener listener;
  CHECK(run.process({.checkpoint_steps = 20}, listener) == SessionEnd::completed);
  CHECK(listener.validated_steps.front() == 12);
  CHECK(run.checkpoints.steps == std::vector<std::uint64_t>{12, 20, 30});
}

TEST_CASE("a run that diverges keeps the model that was saved before") {
  for (const bool fails : {true, false}) {
    CAPTURE(fails);
    SessionRun run;
    (fails ? run.validator.failing_call : run.validator.infinite_call) = 2;
    StoppingListener listener;
    CHECK_THROWS_WITH_AS(run.process(plan(), listener),
                         "training diverged: the perplexity of step 24 is not finite",
                         NumericError);
    CHECK(listener.validated_steps == std::vector<std::uint64_t>{12});
    CHECK(run.metrics.validation.size() == 1);
    CHECK(run.models.saved == 1);
  }
}

TEST_CASE("a stopped run ends as if it had never stopped, whatever is due at that step") {
  SessionRun undisturbed;
  StoppingListener patient;
  undisturbed.process(plan(), patient);
  for (const std::uint64_t stop : {1U, 7U, 8U, 10U, 12U, 24U, 29U}) {
    CAPTURE(stop);
    SessionRun run;
    StoppingListener first(stop);
    CHECK(run.process(plan(), first) == SessionEnd::stopped);
    CHECK(run.step == stop);
    CHECK(run.checkpoints.steps.back() == stop);
    CHECK(run.models.last == run.parameters);
    StoppingListener second;
    CHECK(run.process(plan(), second) == SessionEnd::completed);
    CHECK(run.parameters == undisturbed.parameters);
    CHECK(numbers_of(run.metrics) == numbers_of(undisturbed.metrics));
  }
}

TEST_CASE("a run lost between checkpoints continues from the last one") {
  SessionRun undisturbed;
  StoppingListener patient;
  undisturbed.process(plan(), patient);
  SessionRun run;
  struct Crash {};
  class Crashing final : public SessionListener<BilmLearner> {
    void stepped(const SessionProgress<BilmLearner>& progress) override {
      if (progress.step == 22) throw Crash();
    }
  };
  {
    Crashing listener;
    Trainer trainer = make_trainer(run.words, run.corpus, small_options(), run.training);
    BilmLearner learner(trainer, run.validation, run.services());
    Session<BilmLearner> session(learner, plan(),
                                 {run.checkpoints, listener, ticking_clock(run.tick)});
    CHECK_FALSE(session.resume());
    const std::atomic<bool> stop = false;
    CHECK_THROWS_AS(session.run(stop), Crash);
    CHECK(session.checkpoint_step() == 16);
  }
  CHECK(run.metrics.training.back().step == 20);
  StoppingListener second;
  CHECK(run.process(plan(), second) == SessionEnd::completed);
  CHECK(second.told.front().step == 17);
  CHECK(run.parameters == undisturbed.parameters);
  CHECK(numbers_of(run.metrics) == numbers_of(undisturbed.metrics));
}

TEST_CASE("a complete run saves its model again and does nothing else") {
  SessionRun run;
  StoppingListener first;
  run.process(plan(), first);
  const int saved = run.models.saved;
  StoppingListener second;
  CHECK(run.process(plan(), second) == SessionEnd::was_complete);
  CHECK(second.told.empty());
  CHECK(second.validated_steps.empty());
  CHECK(run.models.saved == saved + 1);
}

TEST_CASE("a run stopped during its last validation repeats it") {
  SessionRun run;
  StoppingListener first;
  first.stop_in_validation = true;
  const SessionOptions options = plan();
  run.validation.every = 1000;
  CHECK(run.process(options, first) == SessionEnd::stopped);
  CHECK(run.step == kSessionSteps);
  CHECK(run.metrics.validation.empty());
  StoppingListener second;
  CHECK(run.process(options, second) == SessionEnd::completed);
  CHECK(second.told.empty());
  CHECK(second.had_last == std::vector<bool>{false});  // another process made the step
  REQUIRE(run.metrics.validation.size() == 1);
  CHECK(run.metrics.validation[0].step == kSessionSteps);
}

TEST_CASE("the limits of a process stop it, and the next process has its own") {
  SessionRun run;
  SessionOptions options = plan();
  options.max_steps = 11;
  for (const std::uint64_t step : {11U, 22U}) {
    StoppingListener listener;
    CHECK(run.process(options, listener) == SessionEnd::stopped);
    CHECK(run.step == step);
  }
  StoppingListener last;
  CHECK(run.process(options, last) == SessionEnd::completed);

  SessionRun timed;
  timed.tick = 1.0;
  options = plan();
  options.max_seconds = 40.0;
  StoppingListener listener;
  CHECK(timed.process(options, listener) == SessionEnd::stopped);
  CHECK(timed.step > 0);
  CHECK(timed.step < kSessionSteps);
}

TEST_CASE("checkpoints follow the clock if no number of steps is given") {
  SessionRun run;
  run.tick = 1.0;
  SessionOptions options = plan();
  options.checkpoint_steps = 0;
  options.checkpoint_seconds = 30.0;
  StoppingListener listener;
  CHECK(run.process(options, listener) == SessionEnd::completed);
  CHECK(run.checkpoints.steps.size() > 2);
  CHECK(run.checkpoints.steps.size() < kSessionSteps);
  CHECK(run.checkpoints.steps.back() == kSessionSteps);
}

TEST_CASE("a failed checkpoint ends the run, and the previous one is kept") {
  SessionRun run;
  StoppingListener first(10);
  run.process(plan(), first);
  run.checkpoints.failing = true;
  StoppingListener listener;
  Trainer trainer = make_trainer(run.words, run.corpus, small_options(), run.training);
  BilmLearner learner(trainer, run.validation, run.services());
  Session<BilmLearner> session(learner, plan(),
                               {run.checkpoints, listener, ticking_clock(run.tick)});
  CHECK(session.resume());
  CHECK_THROWS_WITH_AS(session.run(listener.stop), "the disk is full", SystemError);
  CHECK(learner.step() == 16);
  CHECK(session.checkpoint_step() == 10);
  run.checkpoints.failing = false;
  StoppingListener second;
  CHECK(run.process(plan(), second) == SessionEnd::completed);
}

}  // namespace
}  // namespace elmo
