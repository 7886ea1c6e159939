#include "core/tasks/common/task_session.h"

#include <algorithm>
#include <utility>

namespace elmo {

TaskSession::TaskSession(TaskModel& model, TaskTrainer& trainer, const TaskPlan& plan,
                         const TaskSessionOptions& options, const TaskServices& services)
    : trainer_(trainer),
      model_(model),
      plan_(plan),
      options_(options),
      services_(services),
      steps_between_(std::max(trainer.steps_per_epoch(),
                              (plan.min_steps + plan.evaluations - 1) / plan.evaluations)),
      parameters_(model.parameters()),
      average_(parameters_, plan.average),
      checkpoint_seconds_(services.clock.seconds()) {
  for (const Parameter* parameter : parameters_) best_values_.push_back(parameter->values);
  state_.rate = plan.rate;
}

std::vector<StateArray> TaskSession::arrays() {
  std::vector<StateArray> arrays = trainer_.state();
  for (StateArray& array : average_.state()) arrays.push_back(std::move(array));
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    arrays.push_back({"best/" + parameters_[i]->name, parameters_[i]->shape, best_values_[i]});
  }
  return arrays;
}

bool TaskSession::resume() {
  std::optional<TaskState> state = services_.checkpoints.restore(arrays());
  if (!state) return false;
  state_ = *std::move(state);
  seconds_before_ = state_.seconds;
  first_step_ = state_.step;
  checkpoint_step_ = state_.step;
  return true;
}

const TaskEvaluation& TaskSession::best() const {
  return *std::max_element(
      state_.evaluations.begin(), state_.evaluations.end(),
      [](const TaskEvaluation& a, const TaskEvaluation& b) { return a.score < b.score; });
}

bool TaskSession::ended() const {
  if (state_.evaluations.size() >= plan_.evaluations) return true;
  return plan_.patience > 0 && state_.since_best >= plan_.patience &&
         state_.step >= plan_.min_steps && state_.step % steps_between_ == 0;
}

bool TaskSession::evaluation_due() const {
  if (state_.step == 0 || state_.step % steps_between_ != 0) return false;
  return state_.evaluations.empty() || state_.evaluations.back().step != state_.step;
}

bool TaskSession::run(const std::atomic<bool>& stop) {
  while (true) {
    bool stopped = evaluation_due() && !evaluate(stop);
    if (!stopped && ended()) break;
    stopped = stopped || stop ||
              (options_.max_steps > 0 && state_.step - first_step_ >= options_.max_steps);
    if (stopped) {
      write_checkpoint();
      return false;
    }
    make_step();
    if (checkpoint_due()) write_checkpoint();
  }
  write_checkpoint();
  for (std::size_t i = 0; i < parameters_.size(); ++i) parameters_[i]->values = best_values_[i];
  return true;
}

void TaskSession::make_step() {
  const TaskStep step = trainer_.step(state_.step, static_cast<float>(state_.rate));
  average_.add(state_.step);
  state_.step = step.step;
  state_.tokens += step.tokens;
  state_.loss_sum += step.loss;
  ++state_.loss_steps;
  services_.listener.stepped(step, state_, plan_.evaluations * steps_between_);
}

// False where it was stopped.
bool TaskSession::evaluate(const std::atomic<bool>& stop) {
  average_.swap();
  const std::optional<double> score = services_.evaluator.score(model_, stop);
  const bool best_yet = score && (state_.evaluations.empty() || *score > best().score);
  for (std::size_t i = 0; best_yet && i < parameters_.size(); ++i) {
    best_values_[i] = parameters_[i]->values;
  }
  average_.swap();
  if (!score) return false;
  TaskEvaluation evaluation;
  evaluation.number = state_.evaluations.size() + 1;
  evaluation.step = state_.step;
  evaluation.loss = state_.loss_sum / static_cast<double>(state_.loss_steps);
  evaluation.score = *score;
  evaluation.rate = state_.rate;
  evaluation.seconds = seconds();
  evaluation.best = best_yet;
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
  services_.listener.evaluated(evaluation, state_);
  return true;
}

bool TaskSession::checkpoint_due() const {
  if (options_.checkpoint_steps > 0) return state_.step % options_.checkpoint_steps == 0;
  return services_.clock.seconds() - checkpoint_seconds_ >= options_.checkpoint_seconds;
}

void TaskSession::write_checkpoint() {
  if (checkpoint_step_ == state_.step) return;
  state_.seconds = seconds();
  services_.checkpoints.write(state_, arrays());
  checkpoint_step_ = state_.step;
  checkpoint_seconds_ = services_.clock.seconds();
}

}  // namespace elmo
