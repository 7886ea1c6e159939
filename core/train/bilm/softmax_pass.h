// Loss and gradients of the sampled softmax of one direction over a batch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/kernels/product.h"
#include "core/matrix.h"
#include "core/model/parameters.h"
#include "core/nn/layer.h"
#include "core/train/bilm/training_step.h"

namespace elmo {

/// Not for two threads at once.
class SoftmaxPass {
 public:
  /// `softmax` must outlive this object. `is_first`: see GradientShare.
  SoftmaxPass(SoftmaxLayer& softmax, bool is_first, Precision precision)
      : softmax_(softmax),
        gradients_(is_first),
        products_(precision),
        logit_weights_(precision),
        input_weights_(precision) {}

  /// Returns Σ −log p(target) of the sampled softmax (Jean et al. 2015) over `activations` [n, P].
  /// Replaces `activations` by the gradient of the loss times `scale` with respect to them.
  /// Replaces the gradients of the softmax's touched rows, which must include the sample and the
  /// targets.
  double run(const NegativeSample& sample, std::span<const std::int32_t> targets, float scale,
             AlignedVector<float>& activations);

  const GradientShare& gradients() const { return gradients_; }

 private:
  SoftmaxLayer& softmax_;
  GradientShare gradients_;
  Products products_;
  // Per sample; S includes padding.
  std::vector<std::int32_t> ids_;         // [S]
  StepWeights logit_weights_;             // [P, S], as `weights_` transposed
  StepWeights input_weights_;             // [S, P], as `weights_`
  AlignedVector<float> weights_;          // [S, P]
  AlignedVector<float> offsets_;          // [S]: bias − log expected count
  AlignedVector<float> weight_gradient_;  // [S, P]
  AlignedVector<float> bias_gradient_;    // [S]
  // Per group of rows.
  Operand logits_;                      // [group, S]; then their gradients
  AlignedVector<float> target_logits_;  // [group]
  Operand inputs_;                      // [group, P]
};

}  // namespace elmo
