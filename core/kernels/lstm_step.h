// The elementwise half of an LSTM step: for inference, and for training, forward, which keeps what
// the gradient needs, and backward; and the highway connection around a layer in training.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "core/kernels/precision.h"

namespace elmo {

/// Hidden units are processed in groups of this size. Rows of z, bias, cell and output are padded
/// to a multiple of it; zero weights keep padded units at 0.
inline constexpr std::int64_t kHiddenGroup = 16;

/// A limit that clips nothing.
inline constexpr float kNoClip = std::numeric_limits<float>::infinity();

/// Gate sums of a block of hidden units in float32 and bfloat16: x_t·W_x + h_{t−1}·W_h as float
/// [rows, 4, hidden], gates in the order i, j, f, o.
struct FloatSums {
  const float* sums = nullptr;
};

/// Gate sums in int8: two int32 [rows, 4, hidden] and their scales and offsets. z is the sum over
/// both products of scale[row] · column_scale · (sum − offset).
struct QuantizedSums {
  const std::int32_t* input_sums = nullptr;
  const float* input_scales = nullptr;          ///< [rows]
  const float* input_column_scales = nullptr;   ///< [4, hidden]
  const std::int32_t* input_offsets = nullptr;  ///< [4, hidden]
  const std::int32_t* recurrent_sums = nullptr;
  const float* recurrent_scales = nullptr;          ///< [rows]
  const float* recurrent_column_scales = nullptr;   ///< [4, hidden]
  const std::int32_t* recurrent_offsets = nullptr;  ///< [4, hidden]
};

/// One block of hidden units of `rows` lanes.
struct GateBlock {
  std::int64_t rows = 0;
  std::int64_t hidden = 0;      ///< units in this block, a multiple of kHiddenGroup
  const float* bias = nullptr;  ///< [4, hidden], including the forget gate's offset
  float* cell = nullptr;        ///< row r at cell + r · cell_stride: in, c_{t−1}; out, c_t
  std::int64_t cell_stride = 0;
  float cell_clip = 0.0F;  ///< |c_t| is clipped to this
  void* output = nullptr;  ///< sigmoid(o)·tanh(c_t), float or bfloat16; row r at r · output_stride
  std::int64_t output_stride = 0;  ///< distance between rows, in values
  bool bfloat16_output = false;
};

/// Computes c_t = clip(sigmoid(f)·c_{t−1} + sigmoid(i)·tanh(j)) and output = sigmoid(o)·tanh(c_t)
/// (Sak et al. 2014 without peepholes, packed as in TensorFlow's LSTMCell). i, j, f and o are the
/// sums plus the block's bias. Absolute error below 5e-7 for |c| ≤ 3. Any thread.
void lstm_gates(const FloatSums& z, const GateBlock& block);
void lstm_gates(const QuantizedSums& z, const GateBlock& block);

/// One time step of `rows` lanes of `cells` hidden units (any number). The gate order is i, j, f,
/// o.
struct LstmForwardStep {
  std::int64_t rows = 0;
  std::int64_t cells = 0;
  const float* bias = nullptr;  ///< [4, cells]
  float forget_offset = 0.0F;   ///< a, added to the forget gate's sum after its bias
  /// [rows, 4, cells], row r at gates + r · gates_stride: in, x_t·W_x + h_{t−1}·W_h; out,
  /// sigmoid(i), tanh(j), sigmoid(f + a), sigmoid(o), bias included.
  float* gates = nullptr;
  std::int64_t gates_stride = 0;
  const float* previous_cell = nullptr;  ///< [rows, cells], c_{t−1}
  float* cell = nullptr;                 ///< [rows, cells], c_t; must not be previous_cell
  /// [rows, cells], row r at output + r · output_stride: sigmoid(o)·tanh(c_t).
  float* output = nullptr;
  std::int64_t output_stride = 0;
  float cell_clip = 0.0F;  ///< |c_t| is clipped to this
};

/// Computes c_t = clip(sigmoid(f + a)·c_{t−1} + sigmoid(i)·tanh(j)). Any thread.
void lstm_forward(const LstmForwardStep& step);

/// The arguments of lstm_backward: one step backward in time of `rows` lanes.
struct LstmBackwardStep {
  std::int64_t rows = 0;
  std::int64_t cells = 0;
  /// [rows, 4, cells], row r at gates + r · gates_stride: in, the gates from lstm_forward; out, the
  /// gradient of the loss with respect to the gate sums.
  float* gates = nullptr;
  std::int64_t gates_stride = 0;
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

/// One row of `cells` units (any number): output = (r ∘ layer + (1 − r) ∘ carry) ∘ mask, where r is
/// a sigmoid (Srivastava et al. 2015).
struct HighwayForwardStep {
  std::int64_t cells = 0;
  const float* bias = nullptr;   ///< [2, cells], biases of r and carry
  float* sums = nullptr;         ///< [2, cells]: in, sums; out, r and carry, bias included
  const float* layer = nullptr;  ///< [cells]
  const float* mask = nullptr;   ///< [cells]; null: all 1
  float* output = nullptr;       ///< [cells]
};

/// Any thread.
void highway_forward(const HighwayForwardStep& step);

/// The arguments of highway_backward, for one row.
struct HighwayBackwardStep {
  std::int64_t cells = 0;
  /// [2, cells]: in, the results of highway_forward; out, the gradient with respect to the sums.
  float* sums = nullptr;
  const float* layer = nullptr;  ///< [cells]
  const float* mask = nullptr;   ///< [cells]; null: all 1
  /// [cells]: in, the gradient of `output`; out, the gradient of `layer`.
  float* gradient = nullptr;
};

/// The gradient of highway_forward. Any thread.
void highway_backward(const HighwayBackwardStep& step);

}  // namespace elmo
