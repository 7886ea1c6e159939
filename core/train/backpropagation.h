// The loss of a batch and its gradient with respect to every parameter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/kernels/dropout.h"
#include "core/kernels/precision.h"
#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/model/softmax_layer.h"
#include "core/tensor/aligned.h"
#include "core/train/corpus.h"
#include "core/train/lane_stream.h"
#include "core/train/negative_sampler.h"

namespace elmo {

/// What the LSTMs of all lanes remember from batch to batch.
struct LaneState {
  AlignedVector<float> output;  ///< h [B, P], before any skip connection
  AlignedVector<float> cell;    ///< c [B, D]
};

/// [direction][layer]; direction 0 is forward.
using LaneStates = std::vector<std::vector<LaneState>>;

/// Of so many lanes.
LaneStates zero_lane_states(const ModelOptions& model, std::int64_t lanes);

/// Gradient with respect to the rows of the softmax that the samples and the targets of all lanes
/// that are trained touched; all others have none.
struct SoftmaxGradient {
  std::vector<std::int32_t> rows;  ///< n rows, distinct, ascending
  AlignedVector<float> weights;    ///< [n, P]
  AlignedVector<float> bias;       ///< [n]
};

struct Gradients {
  /// In the order of Parameters::all(). Of the table of a word-level model: [n, P], the rows that
  /// the inputs of all lanes that are trained touched; all others have none.
  std::vector<AlignedVector<float>> parameters;
  std::vector<std::int32_t> word_rows;  ///< n rows of that table, distinct, ascending
  SoftmaxGradient softmax;
};

/// Is told which gradient is final: that of a parameter by its place in Parameters::all(), that of
/// the softmax by the number of parameters. Any thread, several at once.
using GradientReady = std::function<void(std::size_t gradient)>;

/// What of a step is not in the batch.
struct StepOptions {
  float dropout = 0.0F;       ///< of each layer's input and of the last layer's output
  DropoutKey dropout_key;     ///< `place` is set for each mask
  bool softmax_only = false;  ///< the biLM is frozen: the gradients of its parameters are zero
};

/// Mean −log p of a token in each direction, by the sampled softmax: the batch's part of the mean
/// over all lanes that are trained.
struct BatchLoss {
  double forward = 0.0;
  double backward = 0.0;
};

/// Computes gradients of the mean of both directions' losses, (forward + backward) / 2. Those of
/// ranges of lanes add up to those of all lanes. Workers take shares of the range, at least one for
/// each direction, and keep gradients of the LSTMs of their own, which are summed: of n threads, up
/// to n / 2 shares of a direction, of 16 lanes at least. What is left of the threads goes into the
/// products. Not for two threads at once.
class Backpropagation {
 public:
  /// For batches of `lanes`, at least one. What `corpus` views has to outlive it. `precision`: of
  /// the products, float32 or bfloat16. SystemError where the threads cannot be had.
  Backpropagation(const ModelOptions& model, const Corpus& corpus, const LaneRange& lanes,
                  int threads, Precision precision);
  ~Backpropagation();

  /// `states` are those before the batch and become those after it. `gradients` is overwritten.
  /// The same arguments give the same bits with the same number of threads. `ready`, unless it is
  /// empty, is told of every gradient once; where `softmax_only`, of the softmax's only.
  BatchLoss run(const Parameters& parameters, const SoftmaxLayer& softmax,
                const TrainingBatch& batch, const NegativeSampler& sampler,
                const NegativeSample& sample, const StepOptions& options, LaneStates& states,
                Gradients& gradients, const GradientReady& ready = {});

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace elmo
