// An LSTM layer with a highway connection, over sequences of which several workers take a share
// each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/kernels/panel_matrix.h"
#include "core/nn/gradient_share.h"
#include "core/nn/layer.h"
#include "core/nn/time_order.h"

namespace elmo {

/// One direction of an LSTM whose output is mixed with a linear map of its input (Zhang et al.
/// 2016; He et al. 2017, equations 1 to 8):
///
///   h'_t = LSTM of h_{t−1} and x_t
///   r_t = sigmoid of a gate of h_{t−1} and x_t, as the LSTM's are
///   h_t = z ∘ (r_t ∘ h'_t + (1 − r_t) ∘ W x_t)
///
/// z is the recurrent dropout mask, one for all steps of a sequence (Gal and Ghahramani 2016).
/// The six products with x_t make one: gates i, j, f, o and r, then what is carried. It is the
/// weights of a layer; what one worker computes with them is a Pass of its own.
class HighwayLstm {
 public:
  /// Parameters NAME/W_x [inputs, 6·cells], NAME/W_h [cells, 5·cells] and NAME/b [6·cells], all
  /// zero. `inputs` is `cells`, or 0 for a layer without W_x, which reads x·W_x.
  HighwayLstm(const std::string& name, std::int64_t inputs, std::int64_t cells, bool reversed);

  bool reversed() const { return reversed_; }
  std::vector<Parameter*> parameters();

  /// Glorot's weights, as Lstm.
  void initialize(std::uint64_t seed);

  /// Arranges W_h for the steps of all passes that follow: forward, or backward. One thread.
  void pack();
  void pack_transposed();

  /// A share of the sequences. One thread; those of one layer may run side by side, once it is
  /// packed.
  class Pass {
   public:
    /// Rows of `hidden` [rows, cells], which are those of `order` (at least one), are replaced by
    /// the outputs. A layer without W_x reads `sums` [rows, 6·cells] instead. `masks` [sequences,
    /// cells] in the order of the first step; empty: no dropout.
    void forward(const HighwayLstm& layer, const TimeOrder& order, const Matrix* sums,
                 const AlignedVector<float>& masks, Matrix& hidden);

    /// Rows of `gradient` [rows, cells]: in, with respect to the outputs; out, to the inputs. Or,
    /// without W_x, the rows of `sums_gradient` become that with respect to the sums. `gradients`
    /// get those of the weights.
    void backward(HighwayLstm& layer, const TimeOrder& order, const AlignedVector<float>& masks,
                  Matrix& gradient, Matrix* sums_gradient, GradientShare& gradients);

   private:
    // In the order of time.
    AlignedVector<float> input_;            // [N, inputs]
    AlignedVector<float> sums_;             // [N, 6·cells]; backward: their gradients
    AlignedVector<float> previous_output_;  // [N, cells]
    AlignedVector<float> previous_cell_;    // [N, cells]
    AlignedVector<float> cell_;             // [N, cells]
    AlignedVector<float> lstm_output_;      // [N, cells], h'
    AlignedVector<float> output_;           // [N, cells]; backward: gradients
    AlignedVector<float> cell_gradient_;    // [sequences, cells]
  };

 private:
  std::int64_t inputs_;
  std::int64_t cells_;
  bool reversed_;
  Parameter input_weights_;  // of no rows where there are no inputs
  Parameter recurrent_weights_;
  Parameter bias_;
  PanelMatrix recurrent_;             // W_h, of the batch at hand
  PanelMatrix recurrent_transposed_;  // for the gradient
};

}  // namespace elmo
