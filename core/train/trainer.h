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
  std::uint64_t distinct_tokens = 0;  ///< whose vectors this rank computed
  double loss[2] = {0.0,
                    0.0};  ///< mean −log p of a token, forward and backward, of the sampled softmax
  double gradient_norm = 0.0;  ///< before it was clipped
  float learning_rate = 0.0F;
  bool stop = false;  ///< another rank was asked to stop
};

/// Everything but the arrays.
struct TrainerCounters {
  std::uint64_t step = 0;
  std::uint64_t tokens = 0;  ///< predicted so far, in each direction
  std::vector<LanePosition> positions;
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
  Trainer(const ModelOptions& model, const TrainingOptions& options, Parameters parameters,
          SoftmaxLayer softmax, const Corpus& corpus,
          std::unique_ptr<Communicator> communicator = std::make_unique<LocalCommunicator>());
  ~Trainer();

  /// NumericError, with the step's number, where the loss or the gradient is not finite: the
  /// parameters then are as they were before the step. Other errors: as the communicator's.
  StepResult step();

  /// Does what rank 0's trainer wants of the others, and tells it at every step whether `stop` has
  /// become true. Returns what dismiss() was called with. Errors: as step(), without NumericError,
  /// which rank 0 throws.
  int follow(const std::atomic<bool>& stop);

  /// Ends the others' follow().
  void dismiss(int outcome);

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
