// The sampled softmax of one direction over a batch: loss and gradients.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/kernels/operand.h"
#include "core/kernels/products.h"
#include "core/model/softmax_layer.h"
#include "core/tensor/aligned.h"
#include "core/train/backpropagation.h"

namespace elmo {

/// Not for two threads at once.
class SoftmaxPass {
 public:
  explicit SoftmaxPass(Precision precision) : products_(precision) {}

  /// Returns Σ −log p(target) of the sampled softmax (Jean et al. 2015) over `activations` [n, P],
  /// which become the gradient with respect to them of the loss times `scale`. Replaces
  /// `gradient`'s values; its rows, which hold the samples' and targets', are given.
  double run(const SoftmaxLayer& softmax, const NegativeSampler& sampler,
             const NegativeSample& sample, std::span<const std::int32_t> targets, float scale,
             AlignedVector<float>& activations, SoftmaxGradient& gradient);

 private:
  Products products_;
  // Of the samples, S, those that cannot occur among them.
  std::vector<std::int32_t> ids_;         // [S]
  StepWeights step_weights_;              // [S, P], as `weights_`
  AlignedVector<float> weights_;          // [S, P]
  AlignedVector<float> offsets_;          // [S]: bias − log expected count
  AlignedVector<float> weight_gradient_;  // [S, P]
  AlignedVector<float> bias_gradient_;    // [S]
  // Of a group of rows.
  Operand logits_;                      // [group, S]; then their gradients
  AlignedVector<float> target_logits_;  // [group]
  Operand inputs_;                      // [group, P]
};

}  // namespace elmo
