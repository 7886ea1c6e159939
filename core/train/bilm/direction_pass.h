// LSTMs and softmax over one share of a batch's lanes in one direction, forward and backward.
#pragma once

#include <cstdint>
#include <vector>

#include "core/train/bilm/lstm_pass.h"
#include "core/train/bilm/softmax_pass.h"

namespace elmo {

/// Not for two threads at once.
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
  /// direction's LSTMs and to the token vectors. `states`: see LstmPass::forward. `ready`, unless
  /// it is empty, is called for the LSTMs' gradients.
  void run(const TrainingStep& step, const AlignedVector<float>& token_vectors,
           std::vector<LaneState>& states, const GradientReady& ready);

  const LaneShare& share() const { return share_; }
  double loss() const { return loss_; }  ///< Σ −log p of the share's predictions
  const GradientShare& lstm_gradients() const { return lstm_.gradients(); }
  const GradientShare& softmax_gradients() const { return softmax_.gradients(); }
  AlignedVector<float>& token_gradient() { return token_gradient_; }  ///< [types, P]

 private:
  void take_lanes(const TrainingBatch& batch);

  LaneShare share_;
  std::int64_t projection_;  // P
  TrainingBatch lanes_;      // lanes of the share, in its direction only
  LstmPass lstm_;
  SoftmaxPass softmax_;
  AlignedVector<float> activations_;  // [T·b, P]; then their gradient
  AlignedVector<float> token_gradient_;
  double loss_ = 0.0;
};

}  // namespace elmo
