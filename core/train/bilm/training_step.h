// The data of a training step: a batch, a sample of the vocabulary, and options.
#pragma once

#include <cstdint>
#include <vector>

#include "core/kernels/random.h"
#include "core/train/bilm/lanes.h"

namespace elmo {

/// Distinct rows of the softmax, and the number of draws, to correct for their frequency.
struct NegativeSample {
  std::vector<std::int32_t> ids;  ///< S, distinct, ascending
  std::uint64_t draws = 0;        ///< number of draws with repetition until S rows were distinct
  std::int64_t vocabulary = 0;    ///< V, number of rows to draw from

  /// log of the expected count of `id` among the draws, log(1 − (1 − P(id))^draws); 0 if every row
  /// is drawn.
  float log_expected_count(std::int32_t id) const;
};

/// Draws rows 0 … V−1 with P(k) = log((k+2)/(k+1)) / log(V+1) (log-uniform, Zipf's law for a
/// vocabulary sorted by frequency), without repetition, as TensorFlow's
/// log_uniform_candidate_sampler does with unique = true. `samples` ≤ `vocabulary`; if they are
/// equal, every row is drawn. A function of its arguments. Any thread.
NegativeSample draw_negatives(std::int64_t vocabulary, std::int64_t samples, std::uint64_t seed,
                              std::uint64_t step);

/// Dropout and frozen parameters of a training step.
struct StepOptions {
  float dropout = 0.0F;       ///< on each layer's input and the last layer's output
  DropoutKey dropout_key;     ///< `mask_id` is set for each mask
  bool softmax_only = false;  ///< the biLM is frozen: the gradients of its parameters are zero
};

struct TrainingStep {
  TrainingBatch batch;
  NegativeSample sample;
  StepOptions options;

  /// Number of predictions of all trained lanes, in each direction.
  std::int64_t predictions(const LaneRange& lanes) const { return batch.steps * lanes.all; }
};

/// Mean −log p of a token by the sampled softmax, in each direction. It is the batch's part of the
/// mean over all trained lanes.
struct BatchLoss {
  double forward = 0.0;
  double backward = 0.0;
};

}  // namespace elmo
