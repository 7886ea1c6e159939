// The elementwise part of a highway connection around a layer, in training: forward and backward.
#pragma once

#include <cstdint>

namespace elmo {

/// Rows of `cells` units (any number), from `layer` to `output`: (r ∘ layer + (1 − r) ∘ carry) ∘
/// mask, with r a sigmoid (Srivastava et al. 2015).
struct HighwayForwardStep {
  std::int64_t rows = 0;
  std::int64_t cells = 0;
  const float* bias = nullptr;   ///< [2, cells], of r and of what is carried
  float* sums = nullptr;         ///< [rows, 2, cells]: in, sums; out, r and carry, bias included
  std::int64_t sums_stride = 0;  ///< between rows of sums, at least 2·cells
  const float* layer = nullptr;  ///< [rows, cells]
  const float* mask = nullptr;   ///< [rows, cells]; null: all 1
  float* output = nullptr;       ///< [rows, cells]
};

/// Any thread.
void highway_forward(const HighwayForwardStep& step);

struct HighwayBackwardStep {
  std::int64_t rows = 0;
  std::int64_t cells = 0;
  /// [rows, 2, cells]: in, as highway_forward left them; out, the gradient with respect to the
  /// sums.
  float* sums = nullptr;
  std::int64_t sums_stride = 0;  ///< as in forward
  const float* layer = nullptr;  ///< [rows, cells]
  const float* mask = nullptr;   ///< [rows, cells]; null: all 1
  float* gradient = nullptr;     ///< [rows, cells]: in, of `output`; out, of `layer`
};

/// The gradient of highway_forward. Any thread.
void highway_backward(const HighwayBackwardStep& step);

}  // namespace elmo
