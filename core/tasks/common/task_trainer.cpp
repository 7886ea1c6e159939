#include "core/tasks/common/task_trainer.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/kernels/random_bits.h"
#include "core/train/permutation.h"

namespace elmo {

namespace {

OptimizerOptions optimizer_options(const TaskPlan& plan) {
  OptimizerOptions options;
  options.weight_decay = plan.weight_decay;
  return options;
}

}  // namespace

TaskTrainer::TaskTrainer(TaskModel& model, TaskCorpus& corpus, const TaskPlan& plan,
                         Workers& workers)
    : model_(model),
      corpus_(corpus),
      plan_(plan),
      workers_(workers),
      steps_per_epoch_((corpus.size() + plan.batch - 1) / plan.batch),
      parameters_(model.parameters()),
      optimizer_(optimizer_options(plan), parameters_) {}

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
  PassOptions options;
  options.training = true;
  options.seed = plan_.seed;
  options.step = step;
  TaskStep result;
  result.step = step + 1;
  result.loss = model_.train(batch, options, workers_);
  result.tokens = static_cast<std::uint64_t>(model_.trained_tokens(batch));
  result.gradient_norm = global_norm(parameters_, workers_);
  if (!std::isfinite(result.loss) || !std::isfinite(result.gradient_norm)) {
    throw NumericError("the loss of step " + std::to_string(result.step) + " is not finite",
                       Remedy::train_slower);
  }
  const double clip = plan_.clip;
  const double scale =
      clip > 0.0 && result.gradient_norm > clip ? clip / result.gradient_norm : 1.0;
  optimizer_.apply(step, rate, static_cast<float>(scale), workers_);
  return result;
}

std::vector<StateArray> TaskTrainer::state() {
  std::vector<StateArray> arrays = value_arrays("parameters", parameters_);
  for (StateArray& array : optimizer_.state()) arrays.push_back(std::move(array));
  return arrays;
}

}  // namespace elmo
