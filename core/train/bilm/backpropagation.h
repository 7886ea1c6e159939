// The data of a training step, their loss and its gradient with respect to every parameter.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/kernels/precision.h"
#include "core/matrix.h"
#include "core/model/parameters.h"
#include "core/nn/layer.h"
#include "core/train/bilm/encoder_pass.h"
#include "core/train/bilm/lanes.h"
#include "core/train/bilm/lstm_pass.h"
#include "core/train/bilm/softmax_pass.h"
#include "core/train/communicator.h"
#include "core/workers.h"

namespace elmo {

/// The data of a training step.
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

/// Runs the lanes of a share through the LSTMs and the softmax of its direction, forward and
/// backward. Not for two threads at once.
class DirectionPass {
 public:
  /// `model` must outlive this object.
  DirectionPass(TrainedBilm& model, const LaneShare& share, Precision precision)
      : share_(share),
        projection_(model.options.lstm.projection_dim),
        lstm_(model, share, precision),
        softmax_(model.softmax, share.is_first(), precision) {}

  /// Reads the vectors [types, P] of the batch's distinct tokens. Computes the loss and its
  /// gradients with respect to the softmax and, unless only the softmax is trained, to this
  /// direction's LSTMs and to the token vectors. `state`: see LstmPass::forward. `ready`, unless
  /// it is empty, is called for the LSTMs' gradients.
  void run(const TrainingStep& step, const AlignedVector<float>& token_vectors, LstmState& state,
           const GradientReady& ready);

  const LaneShare& share() const { return share_; }
  double loss() const { return loss_; }  ///< Σ −log p of the share's predictions
  const GradientShare& lstm_gradients() const { return lstm_.gradients(); }
  const GradientShare& softmax_gradients() const { return softmax_.gradients(); }
  AlignedVector<float>& token_gradient() { return token_gradient_; }  ///< [types, P]

 private:
  void take_lanes(const TrainingBatch& batch);

  LaneShare share_;
  std::int64_t projection_;  // P
  TrainingBatch lanes_;      // the share's lanes of the batch; the other direction stays empty
  LstmPass lstm_;
  SoftmaxPass softmax_;
  AlignedVector<float> activations_;  // [T·b, P]; then their gradient
  AlignedVector<float> token_gradient_;
  double loss_ = 0.0;
};

/// Computes the gradients of the mean loss of both directions, (forward + backward) / 2. The
/// gradients of all lanes are the sum of the gradients of ranges of lanes. Each direction's lanes
/// of the range are split into shares, one per worker: with n threads, up to n / 2 shares per
/// direction, each of at least 16 lanes. Each worker keeps its own gradients, which are then
/// summed. The remaining threads parallelize the products. Not for two threads at once.
class Backpropagation {
 public:
  /// For batches of `lanes`, at least one. `model` and the data that `corpus` views must outlive
  /// this object. `precision` of the products: float32 or bfloat16. SystemError if the threads
  /// cannot be started.
  Backpropagation(TrainedBilm& model, const Corpus& corpus, const LaneRange& lanes, int threads,
                  Precision precision);

  /// Updates `states` from before the batch to after it. Replaces the gradients of all parameters.
  /// The softmax and the table of a word-level model have sparse gradients; their touched rows,
  /// ascending, are the samples, targets and inputs of all trained lanes. The same arguments give
  /// the same bits with the same number of threads. `ready`, unless it is empty, is called once for
  /// each gradient; if `softmax_only`, only for the gradients of the softmax.
  BatchLoss run(const TrainingStep& step, LaneStates& states, const GradientReady& ready = {});

 private:
  Backpropagation(TrainedBilm& model, const Corpus& corpus, const LaneRange& lanes,
                  const std::vector<LaneShare>& shares, int threads, Precision precision);

  void encode(const TrainingBatch& batch);
  void sum_softmax(const GradientReady& ready);
  void sum_lstms(const GradientReady& ready);
  void encode_backward(const TrainingBatch& batch, const GradientReady& ready);
  std::vector<Parameter*> parameters_between(std::size_t first, std::size_t last);
  void sum(const std::vector<Parameter*>& parameters,
           const std::vector<const GradientShare*>& shares, const GradientReady& ready);
  void clear_bilm();

  TrainedBilm& model_;
  LaneRange lanes_;
  Workers workers_;
  std::vector<EncoderPass> encoders_;      // encoder i of n takes tokens i, i + n, …
  std::optional<WordPass> words_;          // used instead of `encoders_` in a word-level model
  std::vector<DirectionPass> directions_;  // forward, backward, forward, backward, …
  AlignedVector<float> token_vectors_;     // [types, P]
};

}  // namespace elmo
