// One direction's stacked LSTMs over a batch, forward and backward.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/kernels/product.h"
#include "core/kernels/random.h"
#include "core/matrix.h"
#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/nn/layer.h"
#include "core/train/bilm/lanes.h"
#include "core/train/communicator.h"

namespace elmo {

/// Dropout and frozen parameters of a training step.
struct StepOptions {
  float dropout = 0.0F;       ///< on each layer's input and the last layer's output
  DropoutKey dropout_key;     ///< `mask_id` is set for each mask
  bool softmax_only = false;  ///< the biLM is frozen: the gradients of its parameters are zero
};

/// Truncated backpropagation through time: gradients stop at the beginning of the batch. Keeps the
/// intermediate values that the gradient needs between `forward` and `backward`. Not for two
/// threads at once.
class LstmPass {
 public:
  /// `model` must outlive this object.
  LstmPass(TrainedBilm& model, const LaneShare& share, Precision precision);

  /// `batch` holds only the share's lanes. `activations` [T·b, P]: in, the inputs of the first
  /// layer; out, the outputs of the last layer. `state` holds all lanes of the batch; the
  /// share's lanes are updated from before the batch to after it.
  void forward(const TrainingBatch& batch, const StepOptions& options, LstmState& state,
               AlignedVector<float>& activations);

  /// `gradient` [T·b, P]: in, with respect to the outputs of the last layer; out, with respect to
  /// the inputs of the first. Replaces this direction's gradients and calls `ready`, unless it is
  /// empty, for each of them.
  void backward(const TrainingBatch& batch, const StepOptions& options,
                AlignedVector<float>& gradient, const GradientReady& ready);

  const GradientShare& gradients() const { return gradients_; }

 private:
  // Values that one layer keeps for all steps; N = T·b.
  struct Layer {
    Layer(Parameters& parameters, const LstmIndex& index);

    Parameter& weights;     // W_0 [2P, 4D]
    Parameter& bias;        // B [4D]
    Parameter* projection;  // W_P_0 [D, P]; null without a projection
    Operand joined;         // [N, 2P]: x_t and h_{t−1} side by side, the input of W_0
    Operand gates;          // [N, 4D]; backward: gradients of the pre-activations
    AlignedVector<float> previous_cell;  // [N, D]
    AlignedVector<float> cell;           // [N, D]
    Operand hidden;                      // [N, D]: sigmoid(o)·tanh(c)
    AlignedVector<float> output;         // [N, P]: h, before any skip connection
  };

  void reserve(std::int64_t rows, std::int64_t lanes);
  void forward_layer(const TrainingBatch& batch, LstmState::Layer& state, Layer& layer);
  void backward_layer(const TrainingBatch& batch, bool skip, Layer& layer,
                      AlignedVector<float>& gradient);
  // Returns the gradient of the hidden outputs of rows [first, first + lanes), given the gradient
  // of their h in recurrent_gradient_.
  const float* backward_projection(std::int64_t first, std::int64_t lanes, const Layer& layer);
  // Replaces the gates of rows [first, first + lanes) by their gradients and adds these to the bias
  // gradient.
  void backward_gates(std::int64_t first, std::int64_t lanes, const float* hidden_gradient,
                      Layer& layer, float* bias_gradient);
  void drop(const StepOptions& options, std::size_t mask, std::int64_t steps,
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

  // Weights of the current layer; transposed in the backward pass.
  StepWeights gate_weights_;
  StepWeights projection_weights_;

  // Buffers of the current step.
  AlignedVector<float> hidden_gradient_;  // [b, D]
  AlignedVector<float> cell_gradient_;    // [b, D]
  AlignedVector<float> joined_gradient_;  // [b, 2P]
  // [b, P], gradient of h_t: first from step t + 1, then in total.
  AlignedVector<float> recurrent_gradient_;
  Operand output_gradient_;  // [N, P]
};

}  // namespace elmo
