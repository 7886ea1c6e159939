// Moving average of the weights during training.
#pragma once

#include <cstdint>
#include <vector>

#include "core/nn/layer.h"
#include "core/tensor/aligned.h"
#include "core/train/optimizer.h"

namespace elmo {

/// average ← d · average + (1 − d) · weights after each step, with d = min(decay, (1 + n) / (10 +
/// n)) at step n, so that the initial weights are soon forgotten (Polyak and Juditsky 1992).
/// Parameters with more than 2^22 elements, such as large tables of word vectors, are not averaged.
/// Not for two threads at once.
class WeightAverage {
 public:
  /// `parameters` must outlive this object. With a decay of 0, the average is the weights
  /// themselves.
  WeightAverage(const std::vector<Parameter*>& parameters, float decay);

  /// Updates the average after step `step` (from 0).
  void add(std::uint64_t step);

  /// Swaps the weights and their averages. Views of the weights are invalid until a second call
  /// swaps them back.
  void swap();

  /// Views of the averages, named "average/NAME".
  std::vector<StateArray> state();

 private:
  std::vector<Parameter*> parameters_;  // the averaged ones
  float decay_;
  std::vector<AlignedVector<float>> averages_;  // one array per parameter
};

}  // namespace elmo
