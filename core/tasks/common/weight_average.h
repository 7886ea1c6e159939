// A moving average of the weights that training passes through.
#pragma once

#include <cstdint>
#include <vector>

#include "core/nn/layer.h"
#include "core/tensor/aligned.h"
#include "core/train/optimizer.h"

namespace elmo {

/// average ← d · average + (1 − d) · weights after each step, with d = min(decay, (1 + n) / (10 +
/// n)) at step n, so that the beginning is soon forgotten (Polyak and Juditsky 1992). Parameters
/// of more than 2^22 numbers, such as large tables of word vectors, are left as they are. Not for
/// two threads at once.
class WeightAverage {
 public:
  /// `parameters` have to outlive it. With a decay of 0 the average is the weights themselves.
  WeightAverage(const std::vector<Parameter*>& parameters, float decay);

  /// After step `step` (from 0).
  void add(std::uint64_t step);

  /// Puts the averages in the place of the weights, or back. Views of the weights are valid again
  /// when they are back.
  void swap();

  /// Views of the averages: "average/NAME".
  std::vector<StateArray> state();

 private:
  std::vector<Parameter*> parameters_;  // that are averaged
  float decay_;
  std::vector<AlignedVector<float>> averages_;  // of each parameter
};

}  // namespace elmo
