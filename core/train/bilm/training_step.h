// What one step learns from, and what it comes to.
#pragma once

#include "core/kernels/dropout.h"
#include "core/train/bilm/lane_stream.h"
#include "core/train/bilm/negative_sampler.h"

namespace elmo {

struct StepOptions {
  float dropout = 0.0F;       ///< of each layer's input and of the last layer's output
  DropoutKey dropout_key;     ///< `place` is set for each mask
  bool softmax_only = false;  ///< the biLM is frozen: the gradients of its parameters are zero
};

struct TrainingStep {
  TrainingBatch batch;
  NegativeSample sample;
  StepOptions options;

  /// Predictions of all lanes that are trained, in each direction.
  std::int64_t predictions(const LaneRange& lanes) const { return batch.steps * lanes.all; }
};

/// Mean −log p of a token in each direction, by the sampled softmax: the batch's part of the mean
/// over all lanes that are trained.
struct BatchLoss {
  double forward = 0.0;
  double backward = 0.0;
};

}  // namespace elmo
