// The elementwise part of a highway connection around a layer in training, forward and backward.
#pragma once

#include <cstdint>

namespace elmo {

/// One row of `cells` units (any number): output = (r ∘ layer + (1 − r) ∘ carry) ∘ mask, where r is
/// a sigmoid (Srivastava et al. 2015).
struct HighwayForwardStep {
  std::int64_t cells = 0;
  const float* bias = nullptr;   ///< [2, cells], of r and carry
  float* sums = nullptr;         ///< [2, cells]: in, sums; out, r and carry, bias included
  const float* layer = nullptr;  ///< [cells]
  const float* mask = nullptr;   ///< [cells]; null: all 1
  float* output = nullptr;       ///< [cells]
};

/// Any thread.
void highway_forward(const HighwayForwardStep& step);

struct HighwayBackwardStep {
  std::int64_t cells = 0;
  /// [2, cells]: in, the results of highway_forward; out, the gradient with respect to the sums.
  float* sums = nullptr;
  const float* layer = nullptr;  ///< [cells]
  const float* mask = nullptr;   ///< [cells]; null: all 1
  float* gradient = nullptr;     ///< [cells]: in, of `output`; out, of `layer`
};

/// The gradient of highway_forward. Any thread.
void highway_backward(const HighwayBackwardStep& step);

}  // namespace elmo
