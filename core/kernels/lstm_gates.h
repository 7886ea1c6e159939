// The elementwise half of an LSTM step: from gate sums to cell state and output.
#pragma once

#include <cstdint>
#include <span>

#include "core/kernels/precision.h"

namespace elmo {

/// Hidden units are processed in groups of this size. Rows of z, bias, cell and output are padded
/// to a multiple of it; zero weights keep padded units at 0.
inline constexpr std::int64_t kHiddenGroup = 16;

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
  const float* bias = nullptr;  ///< [4, hidden], including the forget gate's +1.0
  float* cell = nullptr;        ///< row r at cell + r · cell_stride: in, c_{t−1}; out, c_t
  std::int64_t cell_stride = 0;
  float cell_clip = 0.0F;  ///< |c_t| is clipped to this; infinity: not clipped
  void* output = nullptr;  ///< sigmoid(o)·tanh(c_t), float or bfloat16; row r at r · output_stride
  std::int64_t output_stride = 0;  ///< in values
  bool bfloat16_output = false;
};

/// Computes c_t = clip(sigmoid(f + 1)·c_{t−1} + sigmoid(i)·tanh(j)) and output =
/// sigmoid(o)·tanh(c_t) (Sak et al. 2014 without peepholes, packed as in TensorFlow's LSTMCell).
/// Absolute error below 5e-7 for |c| ≤ 3. Any thread.
void lstm_gates(const FloatSums& z, const GateBlock& block);
void lstm_gates(const QuantizedSums& z, const GateBlock& block);

}  // namespace elmo
