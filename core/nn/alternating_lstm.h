// Stacked LSTM layers with highway connections that alternate in direction.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/kernels/panel_matrix.h"
#include "core/nn/bilstm.h"
#include "core/nn/layer.h"
#include "core/workers.h"

namespace elmo {

/// One direction of an LSTM whose output is mixed with a linear map of its input (Zhang et al.
/// 2016; He et al. 2017, equations 1 to 8):
///
///   h'_t = LSTM of h_{t−1} and x_t
///   r_t = sigmoid of a gate of h_{t−1} and x_t, as the LSTM's are
///   h_t = z ∘ (r_t ∘ h'_t + (1 − r_t) ∘ W x_t)
///
/// z is the recurrent dropout mask, one for all steps of a sequence (Gal and Ghahramani 2016). The
/// six products with x_t are one product: gates i, j, f, o and r, then the carry W x_t. Each worker
/// runs some of the sequences through all steps. Work on all sequences together is divided into
/// pieces of fixed size, so the results do not depend on the number of workers. Not for two threads
/// at once.
class HighwayLstm {
 public:
  /// Parameters NAME/W_x [inputs, 6·cells], NAME/W_h [cells, 5·cells] and NAME/b [6·cells], all
  /// zero. `inputs` is `cells`, or 0 for a layer without W_x, whose caller computes x·W_x.
  HighwayLstm(const std::string& name, std::int64_t inputs, std::int64_t cells, bool reversed);

  bool reversed() const { return reversed_; }
  std::vector<Parameter*> parameters();

  /// Initializes like Lstm::initialize.
  void initialize(std::uint64_t seed);

  /// Packs W_h for the next forward pass (pack) or backward pass (pack_transposed). At most one
  /// thread per layer.
  void pack();
  void pack_transposed();

  /// Replaces `hidden` [rows, cells], the inputs, by the outputs. `order` must contain all rows. A
  /// layer without W_x reads `sums` [rows, 6·cells] instead of `hidden`. `masks` is [sequences,
  /// cells] in the order of the first step; empty means no dropout.
  void forward(const TimeOrder& order, const Matrix* sums, const AlignedVector<float>& masks,
               Workers& workers, Matrix& hidden);

  /// `gradient` [rows, cells]: in, with respect to the outputs; out, with respect to the inputs.
  /// Without W_x, writes the gradient with respect to the sums to `sums_gradient` instead.
  void backward(const TimeOrder& order, const AlignedVector<float>& masks, Workers& workers,
                Matrix& gradient, Matrix* sums_gradient);

 private:
  // A subset of the sequences: every `apart`th one, from `first` on.
  struct Lanes {
    std::int64_t first;
    std::int64_t apart;
    std::int64_t count(std::int64_t of) const {
      return of > first ? (of - first - 1) / apart + 1 : 0;
    }
  };

  void go_forward(const TimeOrder& order, const AlignedVector<float>& masks, Lanes lanes,
                  Matrix& hidden);
  void go_backward(const TimeOrder& order, const AlignedVector<float>& masks, Lanes lanes,
                   const Matrix& gradient);
  const float* previous_cell(const TimeOrder& order, std::size_t t, std::int64_t lane) const;
  void add_weight_gradients(std::int64_t rows, std::int64_t first, std::int64_t end);
  void give_input_gradient(const TimeOrder& order, std::int64_t first, std::int64_t end,
                           Matrix& gradient, Matrix* sums_gradient);

  std::int64_t inputs_;
  std::int64_t cells_;
  bool reversed_;
  Parameter input_weights_;  // has no rows without inputs
  Parameter recurrent_weights_;
  Parameter bias_;
  PanelMatrix recurrent_;             // W_h for the current batch
  PanelMatrix recurrent_transposed_;  // for the gradient
  // Rows in time order.
  AlignedVector<float> input_;            // [N, inputs]
  AlignedVector<float> sums_;             // [N, 6·cells]; backward: their gradients
  AlignedVector<float> previous_output_;  // [N, cells], h_{t−1}
  AlignedVector<float> cell_;             // [N, cells]
  AlignedVector<float> lstm_output_;      // [N, cells], h'
  AlignedVector<float> output_gradient_;  // [N, cells]; then input gradients
  AlignedVector<float> first_cell_;       // [cells], zero
  AlignedVector<float> cell_gradient_;    // [sequences, cells]
};

/// The deep interleaved LSTM of Zhou and Xu 2015 with the highway connections and the recurrent
/// dropout of He et al. 2017: layer 1 goes forward, layer 2 backward over its outputs, and so on.
/// The caller computes the first layer's product x·W_x, so that sequences with common inputs can
/// share it. Not for two threads at once.
class AlternatingLstm {
 public:
  struct Options {
    std::int64_t cells = 0;
    std::int64_t layers = 1;
    float dropout = 0.0F;  ///< rate for each layer's outputs; one mask for all steps of a
                           ///< sequence
    /// Mask id of the first layer; the next layers use the ids after it.
    std::uint32_t mask_id = 0;
  };

  /// Layers are named NAME_1, NAME_2, …
  AlternatingLstm(const std::string& name, const Options& options);

  std::int64_t sums() const { return 6 * cells_; }  ///< columns of x·W_x: i, j, f, o, r, carry
  std::int64_t outputs() const { return cells_; }
  std::vector<Parameter*> parameters() { return parameters_of(layers_); }
  void initialize(std::uint64_t seed) { initialize_layers(seed, layers_); }

  /// Replaces `to` [rows, cells]. `sums` [rows, 6·cells]: x·W_x of the first layer. `sequences` (at
  /// least one) divides the rows into sequences.
  void forward(const Matrix& sums, const Sequences& sequences, const PassOptions& options,
               Workers& workers, Matrix& to);

  /// `gradient`: as `to` in forward; overwritten. Replaces `sums_gradient` [rows, 6·cells].
  void backward(Matrix& gradient, Workers& workers, Matrix& sums_gradient);

 private:
  const TimeOrder& order_of(std::size_t layer) const {
    return orders_[layers_[layer].reversed() ? 1 : 0];
  }
  void draw_masks(std::span<const std::int64_t> sequences, const PassOptions& options);

  std::int64_t cells_;
  float dropout_;
  std::uint32_t mask_id_;
  std::vector<HighwayLstm> layers_;
  std::array<TimeOrder, 2> orders_;          // forward, backward
  std::vector<AlignedVector<float>> masks_;  // of each layer [sequences, cells], longest sequence
                                             // first
};

}  // namespace elmo
