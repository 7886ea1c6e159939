// Trains a biLM, one step after another.
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

#include "core/parallel/workers.h"
#include "core/train/bilm/backpropagation.h"
#include "core/train/bilm/corpus.h"
#include "core/train/bilm/rank_states.h"
#include "core/train/bilm/step_stream.h"
#include "core/train/bilm/trained_bilm.h"
#include "core/train/bilm/training_options.h"
#include "core/train/communicator.h"
#include "core/train/gradient_exchange.h"
#include "core/train/optimizer.h"
#include "core/train/session.h"

namespace elmo {

/// What one step did; its tokens are those predicted, in each direction.
struct StepResult : SessionStep {
  std::uint64_t distinct_tokens = 0;  ///< whose vectors this rank computed
  double loss[2] = {0.0,
                    0.0};  ///< mean −log p of a token, forward and backward, of the sampled softmax
  double gradient_norm = 0.0;  ///< before it was clipped
  float learning_rate = 0.0F;
};

/// Not for two threads at once; computes with threads of its own. With the same corpus, options
/// and numbers of ranks and threads, the same step follows from the same state, to the last bit.
///
/// Several ranks have a trainer each, made of the same arguments, and lanes of their own. Rank 0
/// decides: it calls what is below, with state that others have a part in gathered there, and at
/// last dismiss(); the others call follow() and nothing else that is not const.
class Trainer {
 public:
  /// `corpus` has to outlive it. RequestError for options that cannot be, or more ranks than
  /// lanes; SystemError where the threads cannot be had.
  Trainer(TrainedBilm model, const TrainingOptions& options, const Corpus& corpus,
          std::unique_ptr<Communicator> communicator = std::make_unique<LocalCommunicator>());
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  /// NumericError, with the step's number, where the loss or the gradient is not finite: the
  /// parameters then are as they were before the step. Other errors: as the communicator's.
  StepResult step();

  /// Does what rank 0's trainer wants of the others, and tells it at every step whether `stop` has
  /// become true. Returns what dismiss() was called with. Errors: as step(), without NumericError,
  /// which rank 0 throws.
  int follow(const std::atomic<bool>& stop);

  /// Ends the others' follow().
  void dismiss(int outcome);

  const TrainedBilm& model() const { return model_; }
  const TrainingOptions& options() const { return options_; }

  /// Views of all state, to be saved or overwritten between steps; valid while the trainer lives.
  std::vector<StateArray> state();
  std::uint64_t step_count() const { return step_; }
  std::uint64_t token_count() const { return tokens_; }  ///< predicted, in each direction
  TrainerCounters counters() const { return {step_, tokens_, steps_.positions()}; }
  void restore(const TrainerCounters& counters);

 private:
  // What rank 0 tells the others to do with it.
  enum class Task : std::int32_t { step, gather_states, share_state, end };
  struct Order {
    Task task;
    std::int32_t outcome;  // of end
  };

  bool is_alone() const { return communicator_->size() == 1; }
  void send(Task task, int outcome = 0) const;
  Order receive() const;
  std::vector<StateArray> trained_state();
  void share_state();
  StepResult make_step(bool stop);

  std::unique_ptr<Communicator> communicator_;
  TrainingOptions options_;
  TrainedBilm model_;
  std::vector<Parameter*> parameters_;  // all of the model
  RankStates states_;
  StepStream steps_;
  Backpropagation backpropagation_;
  GradientExchange exchange_;
  ParameterOptimizer optimizer_;
  Workers workers_;
  bool shared_ = false;  // whether all ranks have the same state
  std::uint64_t step_ = 0;
  std::uint64_t tokens_ = 0;
};

}  // namespace elmo
