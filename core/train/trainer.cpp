#include "core/train/trainer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/parallel/available_threads.h"
#include "core/train/backpropagation.h"
#include "core/train/gradient_exchange.h"
#include "core/train/negative_sampler.h"
#include "core/train/rank_states.h"

namespace elmo {

namespace {

TrainingOptions checked(TrainingOptions options, int ranks) {
  if (options.lanes < 1 || options.unroll < 1 || options.samples < 1) {
    throw RequestError("a batch, its steps and the samples of the softmax have to be at least 1");
  }
  if (!(options.dropout >= 0.0F && options.dropout < 1.0F)) {
    throw RequestError("dropout has to be at least 0 and less than 1");
  }
  if (options.lanes < ranks) {
    throw RequestError("a batch of " + std::to_string(options.lanes) + " for " +
                       std::to_string(ranks) + " ranks; expected a lane for each at least");
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
std::vector<GroupGradient> gradients_of(const ParameterIndex& index, const Gradients& gradients) {
  std::vector<GroupGradient> groups;
  for (const AlignedVector<float>& values : gradients.parameters) groups.push_back({values, {}});
  if (index.word_embedding) groups[*index.word_embedding].rows = gradients.word_rows;
  const SoftmaxGradient& softmax = gradients.softmax;
  groups.push_back({softmax.weights, softmax.rows});
  groups.push_back({softmax.bias, softmax.rows});
  return groups;
}

/// What rank 0 tells the others to do with it.
enum class Task : std::int32_t { step, gather_states, share_state, end };
struct Order {
  Task task;
  std::int32_t outcome;  // of end
};

}  // namespace

struct Trainer::Parts {
  Parts(const ModelOptions& model_options, const TrainingOptions& training_options,
        Parameters initial, SoftmaxLayer initial_softmax, const Corpus& corpus,
        std::unique_ptr<Communicator> ranks)
      : model(model_options),
        communicator(std::move(ranks)),
        options(checked(training_options, communicator->size())),
        lanes(lanes_of_rank(options.lanes, communicator->rank(), communicator->size())),
        parameters(std::move(initial)),
        softmax(std::move(initial_softmax)),
        stream(corpus, options.state, lanes, options.unroll, options.seed),
        sampler(softmax.vocabulary.size(), std::min(options.samples, softmax.vocabulary.size())),
        backpropagation(model, corpus, lanes, threads_or_available(options.threads),
                        options.precision),
        exchange(*communicator, parameters.index(), parameters.all().size()),
        optimizer({options.optimizer, options.weight_decay, options.initial_accumulator},
                  groups_of(options, parameters, softmax)),
        workers(threads_or_available(options.threads)),
        states(zero_lane_states(model, lanes.count)) {}

  bool alone() const { return communicator->size() == 1; }

  /// On rank 0: the others follow.
  void tell(Task task, int outcome = 0) const {
    std::array<Order, 1> order{Order{task, outcome}};
    broadcast(*communicator, std::span<Order>(order));
  }

  Order hear() const {
    std::array<Order, 1> order{};
    broadcast(*communicator, std::span<Order>(order));
    return order[0];
  }

  /// Of all lanes; of several ranks, rank 0 has them where they were gathered.
  LaneStates& all_states() {
    if (alone()) return states;
    if (gathered.empty()) gathered = zero_lane_states(model, lanes.all);
    return gathered;
  }

  /// Parameters, and what the optimiser keeps of them.
  std::vector<StateArray> trained_state() {
    std::vector<StateArray> arrays;
    for (ParameterGroup& group : groups_of(options, parameters, softmax)) {
      arrays.push_back({"parameters/" + group.name, std::move(group.shape), group.values});
    }
    for (StateArray& array : optimizer.state()) arrays.push_back(std::move(array));
    return arrays;
  }

  /// All state becomes that of rank 0.
  void share_state() {
    std::array<std::uint64_t, 2> numbers{step, tokens};
    broadcast(*communicator, std::span<std::uint64_t>(numbers));
    step = numbers[0];
    tokens = numbers[1];
    std::vector<LanePosition> positions = stream.positions();
    broadcast(*communicator, std::span<LanePosition>(positions));
    stream.restore(std::move(positions));
    for (const StateArray& array : trained_state()) broadcast(*communicator, array.values);
    share_states(*communicator, lanes, all_states(), states);
    if (communicator->rank() > 0) gathered = {};
    shared = true;
  }

  StepResult make_step(bool stop);

  ModelOptions model;
  std::unique_ptr<Communicator> communicator;
  TrainingOptions options;
  LaneRange lanes;
  Parameters parameters;
  SoftmaxLayer softmax;
  LaneStream stream;
  NegativeSampler sampler;
  Backpropagation backpropagation;
  Gradients gradients;
  GradientExchange exchange;
  GroupOptimizer optimizer;
  Workers workers;
  LaneStates states;    // of this rank's lanes
  LaneStates gathered;  // of all lanes, where rank 0 has gathered them
  bool shared = false;  // whether all ranks have the same state
  std::uint64_t step = 0;
  std::uint64_t tokens = 0;

  TrainingBatch batch;
};

Trainer::Trainer(const ModelOptions& model, const TrainingOptions& options, Parameters parameters,
                 SoftmaxLayer softmax, const Corpus& corpus,
                 std::unique_ptr<Communicator> communicator)
    : parts_(std::make_unique<Parts>(model, options, std::move(parameters), std::move(softmax),
                                     corpus, std::move(communicator))) {}

Trainer::~Trainer() = default;

StepResult Trainer::step() {
  Parts& p = *parts_;
  if (!p.alone()) {
    if (!p.shared) {
      p.tell(Task::share_state);
      p.share_state();
    }
    p.tell(Task::step);
  }
  return p.make_step(false);
}

int Trainer::follow(const std::atomic<bool>& stop) {
  Parts& p = *parts_;
  while (true) {
    const Order order = p.hear();
    switch (order.task) {
      case Task::step:
        try {
          p.make_step(stop);
        } catch (const NumericError&) {
          // The sums are the same everywhere: rank 0 throws it too, and says what is to be done.
        }
        break;
      case Task::gather_states:
        gather_states(*p.communicator, p.states, p.gathered);
        break;
      case Task::share_state:
        p.share_state();
        break;
      case Task::end:
        return order.outcome;
    }
  }
}

void Trainer::dismiss(int outcome) {
  if (!parts_->alone()) parts_->tell(Task::end, outcome);
}

// `stop`: this rank, which is not rank 0, was asked to stop.
StepResult Trainer::Parts::make_step(bool stop) {
  stream.next(batch);
  StepOptions step_options;
  step_options.dropout = options.dropout;
  step_options.dropout_key = {options.seed, step, 0};
  step_options.softmax_only = step < options.frozen_steps;
  const NegativeSample sample = sampler.draw(options.seed, step);
  exchange.begin(gradients, step_options.softmax_only);
  const BatchLoss part = backpropagation.run(parameters, softmax, batch, sampler, sample,
                                             step_options, states, gradients, exchange.on_ready());
  exchange.finish();
  std::array<double, 3> sums{part.forward, part.backward, stop ? 1.0 : 0.0};
  communicator->sum(sums);

  // As published, the gradient is that of the mean loss times the steps of the unroll; the clip and
  // Adagrad's learning rate are meant for it.
  const auto factor = static_cast<double>(options.unroll);
  const std::vector<GroupGradient> groups = gradients_of(parameters.index(), gradients);
  const double norm = global_norm(groups) * factor;
  if (!std::isfinite(sums[0] + sums[1]) || !std::isfinite(norm)) {
    throw NumericError("the loss of step " + std::to_string(step + 1) + " is not finite",
                       Remedy::train_slower);
  }
  const double clip = static_cast<double>(options.gradient_clip);
  const double shrink = clip > 0.0 && norm > clip ? clip / norm : 1.0;

  StepResult result;
  result.learning_rate = learning_rate_at(options, step);
  optimizer.apply(step, result.learning_rate, static_cast<float>(factor * shrink), groups, workers);
  ++step;
  result.step = step;
  result.tokens = static_cast<std::uint64_t>(batch.steps * lanes.all);
  tokens += result.tokens;
  result.distinct_tokens = batch.types.size();
  result.loss[0] = sums[0];
  result.loss[1] = sums[1];
  result.gradient_norm = norm;
  result.stop = sums[2] > 0.0;
  return result;
}

const ModelOptions& Trainer::model() const { return parts_->model; }
const Parameters& Trainer::parameters() const { return parts_->parameters; }
const SoftmaxLayer& Trainer::softmax() const { return parts_->softmax; }

std::vector<StateArray> Trainer::state() {
  Parts& p = *parts_;
  LaneStates& states = p.all_states();
  if (!p.alone()) {
    p.tell(Task::gather_states);
    gather_states(*p.communicator, p.states, states);
  }
  std::vector<StateArray> arrays = p.trained_state();
  for (std::size_t direction = 0; direction < states.size(); ++direction) {
    for (std::size_t layer = 0; layer < states[direction].size(); ++layer) {
      LaneState& state = states[direction][layer];
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
  Parts& p = *parts_;
  p.stream.restore(counters.positions);
  p.step = counters.step;
  p.tokens = counters.tokens;
  if (p.alone()) return;
  p.tell(Task::share_state);
  p.share_state();
}

}  // namespace elmo
