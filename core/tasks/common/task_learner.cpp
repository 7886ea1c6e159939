#include "core/tasks/common/task_learner.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/error.h"
#include "core/kernels/optimizer_kernels.h"
#include "core/kernels/random.h"

namespace elmo {
namespace {

// Maximum size of an averaged parameter: averaging then takes at most about as long as the step.
constexpr std::size_t kMaxNumbers = std::size_t{1} << 22;

}  // namespace

WeightAverage::WeightAverage(const std::vector<Parameter*>& parameters, float decay)
    : decay_(decay) {
  if (decay_ == 0.0F) return;
  for (Parameter* parameter : parameters) {
    if (parameter->values.size() > kMaxNumbers) continue;
    parameters_.push_back(parameter);
    averages_.push_back(parameter->values);
  }
}

void WeightAverage::add(std::uint64_t step) {
  const auto n = static_cast<float>(step);
  const float share = 1.0F - std::min(decay_, (1.0F + n) / (10.0F + n));
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    average(share, parameters_[i]->values.data(), static_cast<std::int64_t>(averages_[i].size()),
            averages_[i].data());
  }
}

void WeightAverage::swap() {
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    std::swap(parameters_[i]->values, averages_[i]);
  }
}

std::vector<StateArray> WeightAverage::state() {
  std::vector<StateArray> arrays;
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    arrays.push_back({"average/" + parameters_[i]->name, parameters_[i]->shape, averages_[i]});
  }
  return arrays;
}

TaskTrainer::TaskTrainer(TaskModel& model, TaskCorpus& corpus, const TaskPlan& plan,
                         Workers& workers)
    : model_(model),
      corpus_(corpus),
      plan_(plan),
      workers_(workers),
      steps_per_epoch_((corpus.size() + plan.batch - 1) / plan.batch),
      parameters_(model.parameters()),
      optimizer_({.weight_decay = plan.weight_decay}, parameters_) {}

std::vector<std::uint64_t> TaskTrainer::examples_of(std::uint64_t step) const {
  const std::uint64_t key = random_key(plan_.seed, RandomUse::shuffle, step / steps_per_epoch_);
  const Permutation order(corpus_.size(), key);
  const std::uint64_t first = step % steps_per_epoch_ * plan_.batch;
  std::vector<std::uint64_t> examples;
  for (std::uint64_t i = first; i < std::min(first + plan_.batch, corpus_.size()); ++i) {
    examples.push_back(order(i));
  }
  return examples;
}

TaskStep TaskTrainer::step(std::uint64_t step, float rate) {
  const TaskBatch batch = corpus_.load(examples_of(step));
  for (Parameter* parameter : parameters_) parameter->clear_gradient();
  const PassOptions options{.training = true, .seed = plan_.seed, .step = step};
  TaskStep result;
  result.step = step + 1;
  result.loss = model_.train(batch, options, workers_);
  result.tokens = static_cast<std::uint64_t>(model_.trained_tokens(batch));
  result.gradient_norm = global_norm(parameters_, workers_);
  if (!std::isfinite(result.loss)) throw diverged(result.step, "loss");
  if (!std::isfinite(result.gradient_norm)) throw diverged(result.step, "gradient");
  const double clip = plan_.clip;
  const double scale =
      clip > 0.0 && result.gradient_norm > clip ? clip / result.gradient_norm : 1.0;
  optimizer_.apply(step, rate, static_cast<float>(scale), workers_);
  return result;
}

std::optional<double> score_corpus(TaskModel& model, TaskCorpus& corpus, TaskScores& scores,
                                   Workers& workers, const std::atomic<bool>& stop) {
  // Batches examples of similar length: a batch takes as many steps as its longest text has tokens.
  std::vector<std::uint64_t> order(corpus.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) {
    return corpus.tokens_of(a) < corpus.tokens_of(b);
  });
  for (std::size_t begin = 0; begin < order.size();) {
    if (stop) return std::nullopt;
    const std::size_t end = predicted_batch_end(
        begin, order.size(), [&](std::size_t i) { return corpus.tokens_of(order[i]); });
    const auto indices = std::span(order).subspan(begin, end - begin);
    begin = end;
    const TaskBatch batch = corpus.load(indices);
    const auto predictions = model.predict(batch, workers);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      scores.add(corpus[indices[i]], *predictions[i]);
    }
  }
  return scores.score();
}

TaskLearner::TaskLearner(TaskModel& model, TaskTrainer& trainer, const TaskPlan& plan,
                         TaskServices services)
    : trainer_(trainer),
      plan_(plan),
      services_(std::move(services)),
      steps_between_(steps_between_evaluations(plan, trainer.steps_per_epoch())),
      parameters_(model.parameters()),
      average_(parameters_, plan.average) {
  for (const Parameter* parameter : parameters_) best_values_.push_back(parameter->values);
  state_.rate = plan.rate;
}

std::vector<StateArray> TaskLearner::arrays() {
  std::vector<StateArray> arrays = trainer_.state();
  for (StateArray& array : average_.state()) arrays.push_back(std::move(array));
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    arrays.push_back({"best/" + parameters_[i]->name, parameters_[i]->shape, best_values_[i]});
  }
  return arrays;
}

const TaskEvaluation& TaskLearner::best() const {
  return *std::ranges::max_element(state_.evaluations,
                                   [this](const TaskEvaluation& one, const TaskEvaluation& other) {
                                     return services_.metric.is_better(other.score, one.score);
                                   });
}

bool TaskLearner::ended() const {
  if (state_.evaluations.size() >= plan_.evaluations) return true;
  return plan_.patience > 0 && state_.since_best >= plan_.patience &&
         state_.step >= plan_.min_steps && state_.step % steps_between_ == 0;
}

bool TaskLearner::evaluation_due() const {
  if (state_.step == 0 || state_.step % steps_between_ != 0) return false;
  return state_.evaluations.empty() || state_.evaluations.back().step != state_.step;
}

std::optional<TaskEvaluation> TaskLearner::begin() {
  services_.log(state_.evaluations);
  if (state_.evaluations.empty()) return std::nullopt;
  return state_.evaluations.back();
}

TaskStep TaskLearner::make_step() {
  const TaskStep step = trainer_.step(state_.step, static_cast<float>(state_.rate));
  average_.add(state_.step);
  state_.step = step.step;
  state_.tokens += step.tokens;
  state_.loss_sum += step.loss;
  ++state_.loss_steps;
  return step;
}

std::optional<TaskEvaluation> TaskLearner::evaluate(const std::atomic<bool>& stop,
                                                    const EvaluationProgress& /*progress*/) {
  average_.swap();
  const std::optional<double> score = services_.score(stop);
  const bool best_yet =
      score && (state_.evaluations.empty() || services_.metric.is_better(*score, best().score));
  for (std::size_t i = 0; best_yet && i < parameters_.size(); ++i) {
    best_values_[i] = parameters_[i]->values;
  }
  average_.swap();
  if (!score) return std::nullopt;
  return TaskEvaluation{.number = state_.evaluations.size() + 1,
                        .step = state_.step,
                        .loss = state_.loss_sum / static_cast<double>(state_.loss_steps),
                        .score = *score,
                        .rate = state_.rate,
                        .best = best_yet};
}

void TaskLearner::evaluated(const TaskEvaluation& evaluation) {
  state_.evaluations.push_back(evaluation);
  state_.loss_sum = 0.0;
  state_.loss_steps = 0;
  if (evaluation.best) {
    state_.since_best = state_.since_decay = 0;
  } else {
    ++state_.since_best;
    if (++state_.since_decay >= plan_.decay_patience) {
      state_.rate *= plan_.decay;
      state_.since_decay = 0;
    }
  }
  services_.log(state_.evaluations);
}

void TaskLearner::finish(SessionEnd end) {
  if (end == SessionEnd::stopped) return;
  for (std::size_t i = 0; i < parameters_.size(); ++i) parameters_[i]->values = best_values_[i];
}

}  // namespace elmo
