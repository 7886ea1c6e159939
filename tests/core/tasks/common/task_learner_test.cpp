#include "core/tasks/common/task_learner.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/tasks/common/task_corpus.h"
#include "core/tasks/common/task_kind.h"
#include "tests/core/tasks/little_texts.h"

namespace elmo {
namespace {

/// Keeps one checkpoint in memory.
class KeptCheckpoints final : public CheckpointStore<TaskState> {
 public:
  void write(const TaskState& state, std::span<const StateArray> arrays) override {
    state_ = state;
    for (const StateArray& array : arrays) {
      arrays_[array.name] = {array.values.begin(), array.values.end()};
    }
  }
  std::optional<TaskState> restore(std::span<const StateArray> arrays) override {
    if (!state_) return std::nullopt;
    for (const StateArray& array : arrays) {
      std::copy(arrays_.at(array.name).begin(), arrays_.at(array.name).end(), array.values.begin());
    }
    return state_;
  }
  const TaskState& state() const { return *state_; }

 private:
  std::optional<TaskState> state_;
  std::map<std::string, std::vector<float>> arrays_;
};

/// Returns scores from a given list.
class Scripted {
 public:
  explicit Scripted(std::vector<double> scores) : scores_(std::move(scores)) {}
  std::optional<double> score() {
    if (calls == stop_at) return std::nullopt;
    return scores_.at(calls++);
  }
  std::size_t calls = 0;
  std::size_t stop_at = 1000;

 private:
  std::vector<double> scores_;
};

/// A tagger for a few sentences, and its session.
struct TaskRun {
  explicit TaskRun(const TaskPlan& plan_of_run, std::vector<double> scores,
                   const SessionOptions& options = {}, const TaskMetric& metric = kF1Metric)
      : plan(plan_of_run), evaluator(std::move(scores)) {
    task = little_options(ElmoPlace::none);
    task.dropout = 0.25F;
    for (int i = 0; i < 7; ++i) {
      CorpusText& text = texts.emplace_back();
      TaskRecord& record = records.emplace_back();
      record.texts = {texts.size() - 1};
      std::vector<std::int32_t> labels;
      for (int token = 0; token <= i % 3; ++token) {
        text.sentence.add(little_word((i + token) % 10), {});
        text.words.push_back((i + token) % 10 + 1);
        labels.push_back((i + token) % 2);
      }
      record.gold = std::make_shared<LabelGold>(std::move(labels));
    }
    corpus = std::make_unique<TaskCorpus>(texts, records, nullptr);
    model = tag_kind().make(task, words, {"x", "y"});
    model->initialize(plan.seed);
    trainer = std::make_unique<TaskTrainer>(*model, *corpus, plan, workers);
    learner = std::make_unique<TaskLearner>(
        *model, *trainer, plan,
        TaskServices{[this](const std::atomic<bool>&) { return evaluator.score(); },
                     [this](std::span<const TaskEvaluation> all) { logged = all.size(); }, metric});
    session = std::make_unique<Session<TaskLearner>>(
        *learner, options, SessionServices<TaskLearner>{checkpoints, listener, [] { return 0.0; }});
  }

  /// Returns false if it was stopped.
  bool run() { return session->run(stop) != SessionEnd::stopped; }
  std::vector<AlignedVector<float>> weights() {
    std::vector<AlignedVector<float>> values;
    for (const Parameter* parameter : model->parameters()) values.push_back(parameter->values);
    return values;
  }

  TaskPlan plan;
  WordVocabulary words = little_words();
  Workers workers{1};
  TaskOptions task;
  std::vector<CorpusText> texts;
  std::vector<TaskRecord> records;
  Scripted evaluator;
  KeptCheckpoints checkpoints;
  std::size_t logged = 0;
  SessionListener<TaskLearner> listener;
  std::atomic<bool> stop = false;
  std::unique_ptr<TaskCorpus> corpus;
  std::unique_ptr<TaskModel> model;
  std::unique_ptr<TaskTrainer> trainer;
  std::unique_ptr<TaskLearner> learner;
  std::unique_ptr<Session<TaskLearner>> session;
};

TaskPlan little_plan() {
  TaskPlan plan;
  plan.batch = 3;
  plan.evaluations = 6;
  plan.min_steps = 0;
  plan.average = 0.0F;
  return plan;
}

TEST_CASE("evaluations are an epoch apart") {
  TaskRun run(little_plan(), {1, 2, 3, 4, 5, 6});
  CHECK(run.run());
  REQUIRE(run.learner->evaluations().size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(run.learner->evaluations()[i].step == 3 * (i + 1));
  }
}

TEST_CASE("with little data, evaluations are further apart") {
  TaskPlan plan = little_plan();
  plan.min_steps = 40;
  TaskRun run(plan, {1, 1, 1, 1, 1, 1});
  CHECK(run.run());
  CHECK(run.learner->evaluations()[0].step == 7);
  CHECK(run.learner->step() == 42);  // patience does not end the run before that
}

TEST_CASE("a run can continue with more evaluations if its earlier ones were at the same steps") {
  TaskPlan plan;
  plan.min_steps = 160;
  for (const auto& [evaluations, continues] : std::vector<std::pair<std::uint64_t, bool>>{
           {4, false}, {15, false}, {16, true}, {20, true}}) {
    plan.evaluations = evaluations;
    CHECK(can_continue(plan, 5) == continues);
    CHECK(can_continue(plan, 1000));
  }
}

TEST_CASE("a run ends when scores stop improving, with the best weights") {
  TaskPlan plan = little_plan();
  plan.patience = 3;
  plan.evaluations = 20;
  TaskRun run(plan, {10, 30, 20, 30, 25});
  CHECK(run.run());
  CHECK(run.learner->evaluations().size() == 5);
  CHECK(run.learner->best().number == 2);
  TaskRun best(little_plan(), {1, 2, 3, 4, 5, 6}, {.max_steps = 6});
  CHECK_FALSE(best.run());  // stopped at the other run's best evaluation
  CHECK(run.weights() == best.weights());
}

TEST_CASE("the best score is the lowest if the metric says so") {
  TaskMetric error{"error", "error", ""};
  error.higher_is_better = false;
  TaskRun run(little_plan(), {3, 1, 2, 1, 4, 2}, {}, error);
  CHECK(run.run());
  CHECK(run.learner->best().number == 2);
}

TEST_CASE("the saved weights are the average, not those that training resumes from") {
  TaskPlan plan = little_plan();
  plan.evaluations = 1;
  plan.average = 0.75F;
  TaskRun averaged(plan, {1});
  std::vector<AlignedVector<float>> expected = averaged.weights();
  TaskRun plain(plan, {1});
  for (std::uint64_t step = 0; step < 3; ++step) {
    plain.trainer->step(step, plan.rate);
    const float share = 1.0F - static_cast<float>(1 + step) / static_cast<float>(10 + step);
    const std::vector<AlignedVector<float>> weights = plain.weights();
    for (std::size_t i = 0; i < weights.size(); ++i) {
      for (std::size_t j = 0; j < weights[i].size(); ++j) {
        expected[i][j] += share * (weights[i][j] - expected[i][j]);
      }
    }
  }
  CHECK(averaged.run());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    for (std::size_t j = 0; j < expected[i].size(); ++j) {
      CHECK(averaged.weights()[i][j] == doctest::Approx(expected[i][j]).epsilon(1e-5));
    }
  }
}

TEST_CASE("the learning rate decays on a plateau") {
  TaskPlan plan = little_plan();
  plan.rate = 1.0F / 128;
  plan.decay = 0.25F;
  plan.decay_patience = 2;
  plan.patience = 0;
  TaskRun run(plan, {10, 5, 5, 5, 11, 5});
  CHECK(run.run());
  std::vector<double> rates;
  for (const TaskEvaluation& evaluation : run.learner->evaluations()) {
    rates.push_back(evaluation.rate * 128);
  }
  CHECK(rates == std::vector<double>{1, 1, 1, 0.25, 0.25, 0.25});
}

TEST_CASE("a stopped run continues as if it had never stopped") {
  const std::vector<double> scores = {1, 3, 2, 2, 4, 2};
  TaskPlan plan = little_plan();
  plan.average = 0.75F;
  TaskRun whole(plan, scores);
  CHECK(whole.run());
  for (const std::uint64_t steps : {1U, 4U, 6U, 17U}) {
    CAPTURE(steps);
    TaskRun first(plan, scores, {.max_steps = steps});
    CHECK_FALSE(first.run());
    CHECK(first.checkpoints.state().step == steps);
    TaskRun second(plan, scores);
    second.checkpoints = first.checkpoints;
    second.evaluator.calls = first.evaluator.calls;
    CHECK(second.session->resume());
    CHECK(second.run());
    CHECK(second.weights() == whole.weights());
    CHECK(second.learner->evaluations().size() == 6);
    CHECK(second.logged == 6);
    TaskRun again(plan, scores);
    again.checkpoints = second.checkpoints;
    CHECK(again.session->resume());
    CHECK(again.session->run(again.stop) == SessionEnd::was_complete);
    CHECK(again.evaluator.calls == 0);
    CHECK(again.weights() == whole.weights());
  }
}

TEST_CASE("a complete run is stored with its last evaluation, whenever checkpoints are due") {
  const std::vector<double> scores = {1, 3, 2, 2, 4, 2};
  for (const std::uint64_t steps : {1U, 3U, 4U, 100U}) {
    CAPTURE(steps);
    TaskRun first(little_plan(), scores, {.checkpoint_steps = steps});
    CHECK(first.run());
    TaskRun again(little_plan(), scores);
    again.checkpoints = first.checkpoints;
    CHECK(again.session->resume());
    CHECK(again.session->run(again.stop) == SessionEnd::was_complete);
    CHECK(again.evaluator.calls == 0);
    CHECK(again.learner->evaluations().size() == 6);
    CHECK(again.weights() == first.weights());
  }
}

TEST_CASE("a stopped evaluation is repeated") {
  TaskRun first(little_plan(), {1, 2, 3, 4, 5, 6});
  first.evaluator.stop_at = 1;
  CHECK_FALSE(first.run());
  CHECK(first.checkpoints.state().step == 6);
  TaskRun second(little_plan(), {1, 2, 3, 4, 5, 6});
  second.checkpoints = first.checkpoints;
  second.evaluator.calls = 1;
  CHECK(second.session->resume());
  CHECK(second.run());
  CHECK(second.learner->evaluations()[1].step == 6);
}

TEST_CASE("a loss that is not finite ends a run") {
  TaskPlan plan = little_plan();
  plan.rate = 1e30F;
  TaskRun run(plan, {1, 1, 1, 1, 1, 1});
  CHECK_THROWS_AS(run.run(), NumericError);
}

TEST_CASE("every example is used once per epoch") {
  TaskRun run(little_plan(), {});
  std::uint64_t tokens = 0;
  for (std::uint64_t step = 0; step < 3; ++step) tokens += run.trainer->step(step, 0.001F).tokens;
  CHECK(tokens == run.corpus->tokens());
}

}  // namespace
}  // namespace elmo
