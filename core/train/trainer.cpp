#include "core/train/trainer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/parallel/available_threads.h"
#include "core/train/negative_sampler.h"

namespace elmo {

namespace {

int thread_count(const TrainingOptions& options) {
  if (options.threads > 0) return options.threads;
  return available_threads();
}

TrainingOptions checked(TrainingOptions options) {
  if (options.lanes < 1 || options.unroll < 1 || options.samples < 1) {
    throw RequestError("a batch, its steps and the samples of the softmax have to be at least 1");
  }
  if (!(options.dropout >= 0.0F && options.dropout < 1.0F)) {
    throw RequestError("dropout has to be at least 0 and less than 1");
  }
  return options;
}

}  // namespace

struct Trainer::Parts {
  Parts(const ModelOptions& model_options, const TrainingOptions& training_options,
        Parameters initial, SoftmaxLayer initial_softmax, const Corpus& corpus)
      : model(model_options),
        options(checked(training_options)),
        parameters(std::move(initial)),
        softmax(std::move(initial_softmax)),
        stream(corpus, options.state, options.lanes, options.unroll, options.seed),
        sampler(softmax.vocabulary.size(), std::min(options.samples, softmax.vocabulary.size())),
        backpropagation(model, corpus.types, thread_count(options)),
        update(options, parameters, softmax),
        workers(std::min(thread_count(options), Workers::kHalves)),
        states(zero_lane_states(model, options.lanes)) {}

  ModelOptions model;
  TrainingOptions options;
  Parameters parameters;
  SoftmaxLayer softmax;
  LaneStream stream;
  NegativeSampler sampler;
  Backpropagation backpropagation;
  ParameterUpdate update;
  Workers workers;
  LaneStates states;
  std::uint64_t step = 0;
  std::uint64_t tokens = 0;

  TrainingBatch batch;
  Gradients gradients;
};

Trainer::Trainer(const ModelOptions& model, const TrainingOptions& options, Parameters parameters,
                 SoftmaxLayer softmax, const Corpus& corpus)
    : parts_(std::make_unique<Parts>(model, options, std::move(parameters), std::move(softmax),
                                     corpus)) {}

Trainer::~Trainer() = default;

StepResult Trainer::step() {
  Parts& p = *parts_;
  p.stream.next(p.batch);
  StepOptions options;
  options.dropout = p.options.dropout;
  options.dropout_key = {p.options.seed, p.step, 0};
  options.softmax_only = p.step < p.options.frozen_steps;
  const NegativeSample sample = p.sampler.draw(p.options.seed, p.step);
  const BatchLoss loss = p.backpropagation.run(p.parameters, p.softmax, p.batch, p.sampler, sample,
                                               options, p.states, p.gradients);

  // As published, the gradient is that of the mean loss times the steps of the unroll; the clip and
  // Adagrad's learning rate are meant for it.
  const auto unroll = static_cast<double>(p.options.unroll);
  const double norm = global_norm(p.gradients) * unroll;
  if (!std::isfinite(loss.forward + loss.backward) || !std::isfinite(norm)) {
    throw NumericError("the loss of step " + std::to_string(p.step + 1) + " is not finite",
                       Remedy::train_slower);
  }
  const double clip = static_cast<double>(p.options.gradient_clip);
  const double shrink = clip > 0.0 && norm > clip ? clip / norm : 1.0;

  StepResult result;
  result.learning_rate = learning_rate_at(p.options, p.step);
  p.update.apply(p.step, result.learning_rate, static_cast<float>(unroll * shrink),
                 options.softmax_only, p.gradients, p.parameters, p.softmax, p.workers);
  ++p.step;
  const auto predicted = static_cast<std::uint64_t>(p.batch.steps * p.batch.lanes);
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
  for (Parameter& parameter : p.parameters.all()) {
    arrays.push_back({"parameters/" + parameter.spec.name, parameter.spec.shape, parameter.values});
  }
  const std::int64_t vocabulary = p.softmax.vocabulary.size();
  arrays.push_back(
      {"parameters/softmax/W", {vocabulary, p.model.lstm.projection_dim}, p.softmax.weights});
  arrays.push_back({"parameters/softmax/b", {vocabulary}, p.softmax.bias});
  for (StateArray& array : p.update.state(p.parameters)) arrays.push_back(std::move(array));
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
