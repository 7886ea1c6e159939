// The elementwise half of an LSTM step in training: forward, which keeps what the gradient needs,
// and backward.
#pragma once

#include <cstdint>

namespace elmo {

/// One time step of `rows` lanes of `cells` hidden units (any number). The gate order is i, j, f,
/// o.
struct LstmForwardStep {
  std::int64_t rows = 0;
  std::int64_t cells = 0;
  const float* bias = nullptr;  ///< [4, cells]
  float forget_offset = 0.0F;   ///< a, added to the forget gate's sum after its bias
  /// [rows, 4, cells]: in, x_t·W_x + h_{t−1}·W_h; out, sigmoid(i), tanh(j), sigmoid(f + a),
  /// sigmoid(o), bias included.
  float* gates = nullptr;
  const float* previous_cell = nullptr;  ///< [rows, cells], c_{t−1}
  float* cell = nullptr;                 ///< [rows, cells], c_t; must not be previous_cell
  float* output = nullptr;               ///< [rows, cells], sigmoid(o)·tanh(c_t)
  float cell_clip = 0.0F;                ///< |c_t| is clipped to this; infinity: not clipped
};

/// Computes c_t = clip(sigmoid(f + a)·c_{t−1} + sigmoid(i)·tanh(j)). Any thread.
void lstm_forward(const LstmForwardStep& step);

struct LstmBackwardStep {
  std::int64_t rows = 0;
  std::int64_t cells = 0;
  /// [rows, 4, cells]: in, the gates from lstm_forward; out, the gradient of the loss with respect
  /// to the gate sums.
  float* gates = nullptr;
  const float* previous_cell = nullptr;    ///< [rows, cells]
  const float* cell = nullptr;             ///< [rows, cells], c_t after the clip
  const float* output_gradient = nullptr;  ///< [rows, cells]
  /// [rows, cells]: in, the gradient with respect to c_t from step t + 1; out, with respect to
  /// c_{t−1}.
  float* cell_gradient = nullptr;
  float cell_clip = 0.0F;  ///< a clipped cell, |c_t| ≥ clip, passes no gradient
};

/// The gradient of lstm_forward. Any thread.
void lstm_backward(const LstmBackwardStep& step);

}  // namespace elmo
