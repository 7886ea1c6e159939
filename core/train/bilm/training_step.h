// Data, options and loss of one training step.
#pragma once

#include "core/kernels/dropout.h"
#include "core/train/bilm/lane_stream.h"
#include "core/train/bilm/negative_sampler.h"

namespace elmo {

struct StepOptions {
  float dropout = 0.0F;       ///< on each layer's input and the last layer's output
  DropoutKey dropout_key;     ///< `place` is set for each mask
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
