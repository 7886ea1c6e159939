// The elementwise part of a highway connection around a layer, in training: forward and backward.
#pragma once

#include <cstdint>

namespace elmo {

/// A row of `cells` units (any number), from `layer` to `output`: (r ∘ layer + (1 − r) ∘ carry) ∘
/// mask, with r a sigmoid (Srivastava et al. 2015).
struct HighwayForwardStep {
  std::int64_t cells = 0;
  const float* bias = nullptr;   ///< [2, cells], of r and of what is carried
  float* sums = nullptr;         ///< [2, cells]: in, sums; out, r and carry, bias included
  const float* layer = nullptr;  ///< [cells]
  const float* mask = nullptr;   ///< [cells]; null: all 1
  float* output = nullptr;       ///< [cells]
};

/// Any thread.
void highway_forward(const HighwayForwardStep& step);

struct HighwayBackwardStep {
  std::int64_t cells = 0;
  /// [2, cells]: in, as highway_forward left them; out, the gradient with respect to the sums.
  float* sums = nullptr;
  const float* layer = nullptr;  ///< [cells]
  const float* mask = nullptr;   ///< [cells]; null: all 1
  float* gradient = nullptr;     ///< [cells]: in, of `output`; out, of `layer`
};

/// The gradient of highway_forward. Any thread.
void highway_backward(const HighwayBackwardStep& step);

}  // namespace elmo
