// One share of a batch's lanes, in one direction: LSTMs and softmax, forward and backward.
#pragma once

#include <cstdint>
#include <vector>

#include "core/train/lstm_pass.h"
#include "core/train/softmax_pass.h"

namespace elmo {

/// Not for two threads at once.
class DirectionPass {
 public:
  DirectionPass(const ModelOptions& model, const LaneShare& share, Precision precision)
      : share_(share),
        projection_(model.lstm.projection_dim),
        lstm_(model, share, precision),
        softmax_(precision) {}

  /// Reads the vectors [types, P] of the batch's distinct tokens, and computes the loss, its
  /// gradients with respect to the softmax and, unless only the softmax is trained, to this
  /// direction's LSTMs, which replace those in `gradients`, and to the token vectors. `rows`: those
  /// of the softmax that the batch touches. `scale`: what the gradients are multiplied by. `ready`,
  /// unless it is empty, is notified of the LSTMs' gradients.
  void run(const Parameters& parameters, const SoftmaxLayer& softmax, const TrainingBatch& batch,
           const NegativeSampler& sampler, const NegativeSample& sample, const StepOptions& options,
           float scale, const AlignedVector<float>& token_vectors,
           const std::vector<std::int32_t>& rows, std::vector<LaneState>& states,
           std::vector<AlignedVector<float>>& gradients, const GradientReady& ready);

  const LaneShare& share() const { return share_; }
  double loss() const { return loss_; }  ///< Σ −log p of the share's predictions
  SoftmaxGradient& softmax_gradient() { return softmax_gradient_; }
  AlignedVector<float>& token_gradient() { return token_gradient_; }  ///< [types, P]

 private:
  void take_lanes(const TrainingBatch& batch);

  LaneShare share_;
  std::int64_t projection_;  // P
  TrainingBatch lanes_;      // the share's, of this direction only
  LstmPass lstm_;
  SoftmaxPass softmax_;
  AlignedVector<float> activations_;  // [T·b, P], and their gradient
  AlignedVector<float> token_gradient_;
  SoftmaxGradient softmax_gradient_;
  double loss_ = 0.0;
};

}  // namespace elmo
