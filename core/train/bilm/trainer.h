// Trains a biLM step by step.
//
//   corpus ─► batch [T, B] ─► distinct tokens' vectors ─┬► forward LSTMs ──► sampled softmax ─┐
//                                   ▲                   └► backward LSTMs ─► sampled softmax ─┤
//                                   └───────────────── gradients ◄────────────────────────────┘
//   gradients ─► clipped by their global norm ─► optimizer ─► parameters
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/model/parameters.h"
#include "core/train/bilm/backpropagation.h"
#include "core/train/bilm/lanes.h"
#include "core/train/bilm/training_options.h"
#include "core/train/communicator.h"
#include "core/train/optimizer.h"
#include "core/train/session.h"
#include "core/workers.h"

namespace elmo {

/// Results of one step. `tokens` counts the predicted tokens of each direction.
struct StepResult : SessionStep {
  std::uint64_t distinct_tokens = 0;  ///< number of token vectors that this rank computed
  /// Mean −log p of a token by the sampled softmax, forward and backward.
  double loss[2] = {0.0, 0.0};
  double gradient_norm = 0.0;  ///< before it was clipped
  float learning_rate = 0.0F;
};

/// Trains with its own threads. With the same corpus, options and numbers of ranks and threads, the
/// same state gives the same next step, to the last bit. Not for two threads at once.
///
/// If there are several ranks, each has a trainer, made from the same arguments, with its own
/// lanes. Rank 0 leads: it calls the functions below, gathers shared state, and finally calls
/// dismiss(). The other ranks call follow() and otherwise only const functions.
class Trainer {
 public:
  /// `corpus` must outlive this object. RequestError for invalid options or more ranks than lanes;
  /// SystemError if the threads cannot be started.
  Trainer(TrainedBilm model, const TrainingOptions& options, const Corpus& corpus,
          std::unique_ptr<Communicator> communicator = std::make_unique<LocalCommunicator>());
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  /// NumericError (diverged) if the perplexity of the losses or the gradient is not finite; the
  /// parameters are then unchanged. Other errors: as the communicator's.
  StepResult step();

  /// Executes the orders of rank 0's trainer, and notifies it at every step whether `stop` has
  /// become true. Returns the argument of dismiss(). Errors: as step(), without NumericError, which
  /// rank 0 throws.
  int follow(const std::atomic<bool>& stop);

  /// Ends follow() on the other ranks.
  void dismiss(int outcome);

  const TrainedBilm& model() const { return model_; }
  const TrainingOptions& options() const { return options_; }

  /// Views of all state, to save or overwrite between steps. Valid while the trainer lives.
  std::vector<StateArray> state();
  std::uint64_t step_count() const { return step_; }
  std::uint64_t token_count() const { return tokens_; }  ///< predicted, in each direction
  TrainerCounters counters() const { return {step_, tokens_, corpus_.positions()}; }
  void restore(const TrainerCounters& counters);

 private:
  // Orders of rank 0 to the other ranks.
  enum class Action : std::int32_t { step, gather_states, share_state, end };
  struct Order {
    Action action;
    std::int32_t outcome;  // of Action::end
  };

  bool is_alone() const { return communicator_->size() == 1; }
  void send(Action action, int outcome = 0) const;
  Order receive() const;
  void share_state();
  void read_step();
  StepResult make_step(bool stop);

  std::unique_ptr<Communicator> communicator_;
  TrainingOptions options_;
  TrainedBilm model_;
  std::vector<Parameter*> parameters_;  // all parameters of the model
  RankStates states_;
  LaneStream corpus_;
  TrainingStep data_;  // data of the current step
  Backpropagation backpropagation_;
  GradientExchange exchange_;
  ParameterOptimizer optimizer_;
  Workers workers_;
  bool shared_ = false;  // true if all ranks have the same state
  std::uint64_t step_ = 0;
  std::uint64_t tokens_ = 0;
};

}  // namespace elmo
