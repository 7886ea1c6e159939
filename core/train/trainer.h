// Trains a biLM, one step after another.
//
//   corpus ─► batch [T, B] ─► distinct tokens' vectors ─┬► forward LSTMs ──► sampled softmax ─┐
//                                   ▲                   └► backward LSTMs ─► sampled softmax ─┤
//                                   └───────────────── gradients ◄────────────────────────────┘
//   gradients ─► clipped by their global norm ─► optimiser ─► parameters
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/model/softmax_layer.h"
#include "core/train/communicator.h"
#include "core/train/corpus.h"
#include "core/train/optimizer.h"
#include "core/train/training_options.h"

namespace elmo {

/// What one step did.
struct StepResult {
  std::uint64_t step = 0;             ///< steps done, this one included
  std::uint64_t tokens = 0;           ///< predicted, in each direction
  std::uint64_t distinct_tokens = 0;  ///< whose vectors were computed
  double loss[2] = {0.0,
                    0.0};  ///< mean −log p of a token, forward and backward, of the sampled softmax
  double gradient_norm = 0.0;  ///< before it was clipped
  float learning_rate = 0.0F;
};

/// Everything but the arrays.
struct TrainerCounters {
  std::uint64_t step = 0;
  std::uint64_t tokens = 0;  ///< predicted so far, in each direction
  std::vector<LanePosition> positions;
};

/// Not for two threads at once; computes with threads of its own. With the same corpus, options
/// and number of threads, the same step follows from the same state, to the last bit.
class Trainer {
 public:
  /// Steps take the mean of all ranks' losses, whose gradients go through `communicator`. `corpus`
  /// has to outlive it. RequestError for options that cannot be, or a word-level model; SystemError
  /// where the threads cannot be had.
  Trainer(const ModelOptions& model, const TrainingOptions& options, Parameters parameters,
          SoftmaxLayer softmax, const Corpus& corpus,
          std::unique_ptr<Communicator> communicator = std::make_unique<LocalCommunicator>());
  ~Trainer();

  /// NumericError, with the step's number, where the loss or the gradient is not finite: the
  /// parameters then are as they were before the step.
  StepResult step();

  const ModelOptions& model() const;
  const Parameters& parameters() const;
  const SoftmaxLayer& softmax() const;

  /// Views of all state, to be saved or overwritten between steps; valid while the trainer lives.
  std::vector<StateArray> state();
  TrainerCounters counters() const;
  void restore(const TrainerCounters& counters);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace elmo
