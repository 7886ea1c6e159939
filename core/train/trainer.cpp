#include "core/train/trainer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/parallel/available_threads.h"
#include "core/train/backpropagation.h"
#include "core/train/gradient_sum.h"
#include "core/train/negative_sampler.h"

namespace elmo {

namespace {

TrainingOptions checked(TrainingOptions options) {
  if (options.lanes < 1 || options.unroll < 1 || options.samples < 1) {
    throw RequestError("a batch, its steps and the samples of the softmax have to be at least 1");
  }
  if (!(options.dropout >= 0.0F && options.dropout < 1.0F)) {
    throw RequestError("dropout has to be at least 0 and less than 1");
  }
  return options;
}

/// All that is trained: the biLM, frozen at first where asked for, and the softmax.
std::vector<ParameterGroup> groups_of(const TrainingOptions& options, Parameters& parameters,
                                      SoftmaxLayer& softmax) {
  std::vector<ParameterGroup> groups = parameter_groups(parameters);
  for (ParameterGroup& group : groups) group.frozen_steps = options.frozen_steps;
  for (ParameterGroup& group : parameter_groups(softmax)) groups.push_back(std::move(group));
  return groups;
}

/// In the order of groups_of().
std::vector<GroupGradient> gradients_of(const Gradients& gradients) {
  std::vector<GroupGradient> groups;
  for (const AlignedVector<float>& values : gradients.parameters) groups.push_back({values, {}});
  const SoftmaxGradient& softmax = gradients.softmax;
  groups.push_back({softmax.weights, softmax.rows});
  groups.push_back({softmax.bias, softmax.rows});
  return groups;
}

}  // namespace

struct Trainer::Parts {
  Parts(const ModelOptions& model_options, const TrainingOptions& training_options,
        Parameters initial, SoftmaxLayer initial_softmax, const Corpus& corpus,
        std::unique_ptr<Communicator> ranks)
      : model(model_options),
        options(checked(training_options)),
        parameters(std::move(initial)),
        softmax(std::move(initial_softmax)),
        stream(corpus, options.state, options.lanes, options.unroll, options.seed),
        sampler(softmax.vocabulary.size(), std::min(options.samples, softmax.vocabulary.size())),
        backpropagation(model, corpus.types, options.lanes, threads_or_available(options.threads)),
        communicator(std::move(ranks)),
        optimizer({options.optimizer, options.weight_decay, options.initial_accumulator},
                  groups_of(options, parameters, softmax)),
        workers(threads_or_available(options.threads)),
        states(zero_lane_states(model, options.lanes)) {}

  ModelOptions model;
  TrainingOptions options;
  Parameters parameters;
  SoftmaxLayer softmax;
  LaneStream stream;
  NegativeSampler sampler;
  Backpropagation backpropagation;
  std::unique_ptr<Communicator> communicator;
  GroupOptimizer optimizer;
  Workers workers;
  LaneStates states;
  std::uint64_t step = 0;
  std::uint64_t tokens = 0;

  TrainingBatch batch;
  Gradients gradients;
};

Trainer::Trainer(const ModelOptions& model, const TrainingOptions& options, Parameters parameters,
                 SoftmaxLayer softmax, const Corpus& corpus,
                 std::unique_ptr<Communicator> communicator)
    : parts_(std::make_unique<Parts>(model, options, std::move(parameters), std::move(softmax),
                                     corpus, std::move(communicator))) {}

Trainer::~Trainer() = default;

StepResult Trainer::step() {
  Parts& p = *parts_;
  p.stream.next(p.batch);
  StepOptions options;
  options.dropout = p.options.dropout;
  options.dropout_key = {p.options.seed, p.step, 0};
  options.softmax_only = p.step < p.options.frozen_steps;
  const NegativeSample sample = p.sampler.draw(p.options.seed, p.step);
  BatchLoss loss = p.backpropagation.run(p.parameters, p.softmax, p.batch, p.sampler, sample,
                                         options, p.states, p.gradients);

  sum_over_ranks(*p.communicator, p.model.lstm.projection_dim, loss, p.gradients);
  const auto ranks = static_cast<double>(p.communicator->size());
  loss = {loss.forward / ranks, loss.backward / ranks};

  // As published, the gradient is that of the mean loss times the steps of the unroll; the clip and
  // Adagrad's learning rate are meant for it.
  const double factor = static_cast<double>(p.options.unroll) / ranks;
  const std::vector<GroupGradient> gradients = gradients_of(p.gradients);
  const double norm = global_norm(gradients) * factor;
  if (!std::isfinite(loss.forward + loss.backward) || !std::isfinite(norm)) {
    throw NumericError("the loss of step " + std::to_string(p.step + 1) + " is not finite",
                       Remedy::train_slower);
  }
  const double clip = static_cast<double>(p.options.gradient_clip);
  const double shrink = clip > 0.0 && norm > clip ? clip / norm : 1.0;

  StepResult result;
  result.learning_rate = learning_rate_at(p.options, p.step);
  p.optimizer.apply(p.step, result.learning_rate, static_cast<float>(factor * shrink), gradients,
                    p.workers);
  ++p.step;
  const auto predicted =
      static_cast<std::uint64_t>(p.batch.steps * p.batch.lanes * p.communicator->size());
  p.tokens += predicted;
  result.step = p.step;
  result.tokens = predicted;
  result.distinct_tokens = p.batch.types.size();
  result.loss[0] = loss.forward;
  result.loss[1] = loss.backward;
  result.gradient_norm = norm;
  return result;
}

const ModelOptions& Trainer::model() const { return parts_->model; }
const Parameters& Trainer::parameters() const { return parts_->parameters; }
const SoftmaxLayer& Trainer::softmax() const { return parts_->softmax; }

std::vector<StateArray> Trainer::state() {
  Parts& p = *parts_;
  std::vector<StateArray> arrays;
  for (ParameterGroup& group : groups_of(p.options, p.parameters, p.softmax)) {
    arrays.push_back({"parameters/" + group.name, std::move(group.shape), group.values});
  }
  for (StateArray& array : p.optimizer.state()) arrays.push_back(std::move(array));
  for (std::size_t direction = 0; direction < p.states.size(); ++direction) {
    for (std::size_t layer = 0; layer < p.states[direction].size(); ++layer) {
      LaneState& state = p.states[direction][layer];
      const std::string prefix = std::string("lanes/") +
                                 (direction == 0 ? "forward_" : "backward_") +
                                 std::to_string(layer + 1);
      arrays.push_back(
          {prefix + "/output", {p.options.lanes, p.model.lstm.projection_dim}, state.output});
      arrays.push_back({prefix + "/cell", {p.options.lanes, p.model.lstm.dim}, state.cell});
    }
  }
  return arrays;
}

TrainerCounters Trainer::counters() const {
  return {parts_->step, parts_->tokens, parts_->stream.positions()};
}

void Trainer::restore(const TrainerCounters& counters) {
  parts_->stream.restore(counters.positions);
  parts_->step = counters.step;
  parts_->tokens = counters.tokens;
}

}  // namespace elmo
