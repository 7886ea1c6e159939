// The elementwise half of an LSTM step: from the gates' sums to cell state and output.
#pragma once

#include <cstdint>
#include <span>

#include "core/kernels/precision.h"

namespace elmo {

/// Hidden units are handled in whole groups of this many; rows of z, bias, cell and output are
/// padded to it (with zeros in the weights, which keep padded units at 0).
inline constexpr std::int64_t kHiddenGroup = 16;

/// Where the sums of a block of hidden units come from. float32 and bfloat16: `sums` is float
/// [rows, 4, hidden], x_t·W_x + h_{t−1}·W_h, gates in the order i, j, f, o.
struct FloatSums {
  const float* sums = nullptr;
};

/// int8: two int32 [rows, 4, hidden], and what turns them back into numbers:
/// z = input_scale[row] · column_scale · (sum − offset), added over both products.
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
  const float* bias = nullptr;  ///< [4, hidden], the forget gate's +1.0 added in
  float* cell = nullptr;        ///< row r at cell + r · cell_stride, c_{t−1} in, c_t out
  std::int64_t cell_stride = 0;
  float cell_clip = 0.0F;  ///< |c_t| is held to this; infinity: not clipped
  void* output = nullptr;  ///< sigmoid(o)·tanh(c_t), float or bfloat16, row r at r · output_stride
  std::int64_t output_stride = 0;  ///< in values
  bool bfloat16_output = false;
};

/// c_t = clip(sigmoid(f + 1)·c_{t−1} + sigmoid(i)·tanh(j)), output = sigmoid(o)·tanh(c_t)
/// (Sak et al. 2014 without peepholes, as TensorFlow's LSTMCell packs it). Absolute error against
/// exact arithmetic below 5e-7 for |c| ≤ 3. Any thread.
void lstm_gates(const FloatSums& z, const GateBlock& block);
void lstm_gates(const QuantizedSums& z, const GateBlock& block);

}  // namespace elmo
