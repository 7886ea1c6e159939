// Activations brought to mean 0, and layers to one size, so that one learning rate suits all
// probes.
#pragma once

#include <span>
#include <vector>

#include "core/task/probed_layer.h"
#include "core/task/task_options.h"

namespace elmo {

/// An affine map of the numbers that probes read, by a sample of them. What a linear map with a
/// bias can tell from activations it can tell from these, and the other way round. Immutable; any
/// thread.
class FeatureScale {
 public:
  /// `sample` [N, 2L+1, P], at least one token.
  FeatureScale(std::span<const float> sample, const BilmShape& bilm);

  /// Subtracts the sample's mean of each number from `activations` [N, 2L+1, P].
  void centre(std::span<float> activations) const;

  /// What brings the numbers that a layer's probe reads, once centred, to a mean square of 1. Of a
  /// mix, those of equal shares.
  float factor(const ProbedLayer& layer) const;

 private:
  std::vector<float> means_;           // [(2L+1)·P]
  std::vector<double> variances_;      // likewise
  std::vector<double> mix_variances_;  // [2P]
};

}  // namespace elmo
