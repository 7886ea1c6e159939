#include "core/train/bilm/trainer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/error.h"
#include "core/resources.h"

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

/// Freezes the biLM for the first `steps` steps.
TrainedBilm frozen(TrainedBilm model, std::uint64_t steps) {
  for (Parameter& parameter : model.parameters.all()) parameter.frozen_steps = steps;
  return model;
}

}  // namespace

Trainer::Trainer(TrainedBilm model, const TrainingOptions& options, const Corpus& corpus,
                 std::unique_ptr<Communicator> communicator)
    : communicator_(std::move(communicator)),
      options_(checked(options, communicator_->size())),
      model_(frozen(std::move(model), options.frozen_steps)),
      parameters_(model_.all()),
      states_(*communicator_, model_.options,
              lanes_of_rank(options.lanes, communicator_->rank(), communicator_->size())),
      corpus_(corpus, options.state, states_.lanes(), options.unroll, options.seed),
      backpropagation_(model_, corpus, states_.lanes(), threads_or_available(options.threads),
                       options.precision),
      exchange_(*communicator_, model_.gradient_groups()),
      optimizer_({options.optimizer, options.weight_decay, options.initial_accumulator},
                 parameters_),
      workers_(threads_or_available(options.threads)) {}

// Called on rank 0; the other ranks receive it.
void Trainer::send(Action action, int outcome) const {
  std::array<Order, 1> order{Order{action, outcome}};
  broadcast(*communicator_, std::span<Order>(order));
}

Trainer::Order Trainer::receive() const {
  std::array<Order, 1> order{};
  broadcast(*communicator_, std::span<Order>(order));
  return order[0];
}

StepResult Trainer::step() {
  if (!is_alone()) {
    if (!shared_) {
      send(Action::share_state);
      share_state();
    }
    send(Action::step);
  }
  return make_step(false);
}

int Trainer::follow(const std::atomic<bool>& stop) {
  while (true) {
    const Order order = receive();
    switch (order.action) {
      case Action::step:
        try {
          make_step(stop);
        } catch (const NumericError&) {
          // Sums are the same on all ranks, so rank 0 throws the error too, and sends the next
          // order.
        }
        break;
      case Action::gather_states:
        states_.gather();
        break;
      case Action::share_state:
        share_state();
        break;
      case Action::end:
        return order.outcome;
    }
  }
}

void Trainer::dismiss(int outcome) {
  if (!is_alone()) send(Action::end, outcome);
}

// Reads the data of the next step, which are a function of corpus, options, step and positions.
void Trainer::read_step() {
  corpus_.next(data_.batch);
  const std::int64_t words = model_.softmax.vocabulary.size();
  data_.sample = draw_negatives(words, std::min(options_.samples, words), options_.seed, step_);
  data_.options.dropout = options_.dropout;
  data_.options.dropout_key = {options_.seed, step_, 0};
  data_.options.softmax_only = step_ < options_.frozen_steps;
}

// `stop`: this rank is not rank 0 and was asked to stop.
StepResult Trainer::make_step(bool stop) {
  read_step();
  exchange_.begin(step_);
  const BatchLoss part = backpropagation_.run(data_, states_.own(), exchange_.on_ready());
  exchange_.finish();
  std::array<double, 3> sums{part.forward, part.backward, stop ? 1.0 : 0.0};
  communicator_->sum(sums);

  // As in the published implementation, the gradient is the mean loss's gradient times the number
  // of unrolled steps. The clip and Adagrad's learning rate are meant for this scale.
  const auto factor = static_cast<double>(options_.unroll);
  const double norm = global_norm(parameters_, workers_) * factor;
  if (!std::isfinite(std::exp(sums[0]) + std::exp(sums[1]))) throw diverged(step_ + 1, "loss");
  if (!std::isfinite(norm)) throw diverged(step_ + 1, "gradient");
  const double clip = static_cast<double>(options_.gradient_clip);
  const double shrink = clip > 0.0 && norm > clip ? clip / norm : 1.0;

  StepResult result;
  result.learning_rate = learning_rate_at(options_, step_);
  optimizer_.apply(step_, result.learning_rate, static_cast<float>(factor * shrink), workers_);
  ++step_;
  result.step = step_;
  result.tokens = static_cast<std::uint64_t>(data_.predictions(states_.lanes()));
  tokens_ += result.tokens;
  result.distinct_tokens = data_.batch.types.size();
  result.loss[0] = sums[0];
  result.loss[1] = sums[1];
  result.gradient_norm = norm;
  result.stop = sums[2] > 0.0;
  return result;
}

// Copies all state from rank 0.
void Trainer::share_state() {
  std::array<std::uint64_t, 2> numbers{step_, tokens_};
  broadcast(*communicator_, std::span<std::uint64_t>(numbers));
  step_ = numbers[0];
  tokens_ = numbers[1];
  std::vector<LanePosition> positions = corpus_.positions();
  broadcast(*communicator_, std::span<LanePosition>(positions));
  corpus_.restore(std::move(positions));
  for (const StateArray& array : optimizer_.state()) broadcast(*communicator_, array.values);
  states_.share();
  shared_ = true;
}

std::vector<StateArray> Trainer::state() {
  if (!is_alone()) send(Action::gather_states);
  states_.gather();
  std::vector<StateArray> arrays = optimizer_.state();
  LaneStates& states = states_.all();
  for (std::size_t direction = 0; direction < states.size(); ++direction) {
    for (std::size_t layer = 0; layer < states[direction].layers.size(); ++layer) {
      LstmState::Layer& state = states[direction].layers[layer];
      const std::string prefix = std::string("lanes/") +
                                 (direction == 0 ? "forward_" : "backward_") +
                                 std::to_string(layer + 1);
      const LstmOptions& lstm = model_.options.lstm;
      arrays.push_back({prefix + "/output", {options_.lanes, lstm.projection_dim}, state.h});
      arrays.push_back({prefix + "/cell", {options_.lanes, lstm.dim}, state.c});
    }
  }
  return arrays;
}

void Trainer::restore(const TrainerCounters& counters) {
  corpus_.restore(counters.positions);
  step_ = counters.step;
  tokens_ = counters.tokens;
  if (is_alone()) return;
  send(Action::share_state);
  share_state();
}

}  // namespace elmo
