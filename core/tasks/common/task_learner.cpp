#include "core/tasks/common/task_learner.h"

#include <algorithm>
#include <utility>

namespace elmo {

TaskLearner::TaskLearner(TaskModel& model, TaskTrainer& trainer, const TaskPlan& plan,
                         const TaskServices& services)
    : trainer_(trainer),
      model_(model),
      plan_(plan),
      services_(services),
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
  return *std::max_element(
      state_.evaluations.begin(), state_.evaluations.end(),
      [](const TaskEvaluation& a, const TaskEvaluation& b) { return a.score < b.score; });
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
  services_.log.write(state_.evaluations);
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
  const std::optional<double> score = services_.evaluator.score(model_, stop);
  const bool best_yet = score && (state_.evaluations.empty() || *score > best().score);
  for (std::size_t i = 0; best_yet && i < parameters_.size(); ++i) {
    best_values_[i] = parameters_[i]->values;
  }
  average_.swap();
  if (!score) return std::nullopt;
  TaskEvaluation evaluation;
  evaluation.number = state_.evaluations.size() + 1;
  evaluation.step = state_.step;
  evaluation.loss = state_.loss_sum / static_cast<double>(state_.loss_steps);
  evaluation.score = *score;
  evaluation.rate = state_.rate;
  evaluation.best = best_yet;
  return evaluation;
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
  services_.log.write(state_.evaluations);
}

void TaskLearner::finish(SessionEnd end) {
  if (end == SessionEnd::stopped) return;
  for (std::size_t i = 0; i < parameters_.size(); ++i) parameters_[i]->values = best_values_[i];
}

}  // namespace elmo
