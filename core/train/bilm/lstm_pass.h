// One direction's stacked LSTMs over a batch, forward and backward.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/kernels/operand.h"
#include "core/kernels/products.h"
#include "core/model/options.h"
#include "core/nn/gradient_share.h"
#include "core/tensor/aligned.h"
#include "core/train/bilm/lane_state.h"
#include "core/train/bilm/trained_bilm.h"
#include "core/train/bilm/training_step.h"
#include "core/train/gradient_ready.h"

namespace elmo {

/// Truncated backpropagation through time: gradients stop where the batch begins. Keeps between
/// `forward` and `backward` what the gradient needs. Not for two threads at once.
class LstmPass {
 public:
  /// `model` has to outlive it.
  LstmPass(TrainedBilm& model, const LaneShare& share, Precision precision);

  /// `batch`: the share's lanes only. `activations` [T·b, P]: in, the inputs of the first layer;
  /// out, the outputs of the last one. `states` [L] of the batch: those of the share's lanes are
  /// those before the batch and become those after it.
  void forward(const TrainingBatch& batch, const StepOptions& options,
               std::vector<LaneState>& states, AlignedVector<float>& activations);

  /// `gradient` [T·b, P]: in, with respect to the outputs of the last layer; out, with respect to
  /// the inputs of the first. Replaces this direction's gradients, and notifies `ready`, unless it
  /// is empty, of each.
  void backward(const TrainingBatch& batch, const StepOptions& options,
                AlignedVector<float>& gradient, const GradientReady& ready);

  const GradientShare& gradients() const { return gradients_; }

 private:
  // What one layer keeps of all steps; N = T·b.
  struct Layer {
    explicit Layer(const LstmParameters& of) : parameters(of) {}

    LstmParameters parameters;
    Operand joined;                      // [N, 2P]: x_t beside h_{t−1}, what W_0 multiplies
    Operand gates;                       // [N, 4D]; backward: gradients of their sums
    AlignedVector<float> previous_cell;  // [N, D]
    AlignedVector<float> cell;           // [N, D]
    Operand hidden;                      // [N, D]: sigmoid(o)·tanh(c)
    AlignedVector<float> output;         // [N, P]: h, before any skip connection
  };

  void reserve(std::int64_t rows, std::int64_t lanes);
  void forward_layer(const TrainingBatch& batch, LaneState& state, Layer& layer);
  void backward_layer(const TrainingBatch& batch, bool skip, Layer& layer,
                      AlignedVector<float>& gradient);
  // The gates of `lanes` rows from `first` on become gradients, and their biases' are added to.
  void backward_gates(std::int64_t first, std::int64_t lanes, const float* hidden_gradient,
                      Layer& layer, float* bias_gradient);
  void drop(const StepOptions& options, std::size_t place, std::int64_t steps,
            AlignedVector<float>& values) const;

  std::int64_t cells_;       // D
  std::int64_t projection_;  // P
  float cell_clip_;
  float proj_clip_;
  bool skip_;
  float forget_offset_;
  LaneShare share_;
  GradientShare gradients_;
  Products products_;
  std::vector<Layer> layers_;

  // Of the layer at hand: backward, transposed.
  StepWeights gate_weights_;
  StepWeights projection_weights_;

  // Of the step at hand.
  AlignedVector<float> hidden_gradient_;     // [b, D]
  AlignedVector<float> cell_gradient_;       // [b, D]
  AlignedVector<float> joined_gradient_;     // [b, 2P]
  AlignedVector<float> recurrent_gradient_;  // [b, P]
  Operand output_gradient_;                  // [N, P]
};

}  // namespace elmo
