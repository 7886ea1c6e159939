// The sampled softmax: its sample of the vocabulary, and the loss and gradients of one direction
// over a batch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/kernels/product.h"
#include "core/matrix.h"
#include "core/model/parameters.h"
#include "core/nn/layer.h"

namespace elmo {

/// Distinct rows of the softmax, and the number of draws, to correct for their frequency.
struct NegativeSample {
  std::vector<std::int32_t> ids;  ///< S, distinct, ascending
  std::uint64_t draws = 0;        ///< number of draws with repetition until S rows were distinct
  std::int64_t vocabulary = 0;    ///< V, number of rows to draw from

  /// log of the expected count of `id` among the draws, log(1 − (1 − P(id))^draws); 0 if every row
  /// is drawn.
  float log_expected_count(std::int32_t id) const;
};

/// Draws rows 0 … V−1 with P(k) = log((k+2)/(k+1)) / log(V+1) (log-uniform, Zipf's law for a
/// vocabulary sorted by frequency), without repetition, as TensorFlow's
/// log_uniform_candidate_sampler does with unique = true. `samples` ≤ `vocabulary`; if they are
/// equal, every row is drawn. A function of its arguments. Any thread.
NegativeSample draw_negatives(std::int64_t vocabulary, std::int64_t samples, std::uint64_t seed,
                              std::uint64_t step);

/// The softmax over a sample, forward and backward. Not for two threads at once.
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
  std::int64_t samples() const { return static_cast<std::int64_t>(ids_.size()); }  // S
  // Copies and packs the weights of the sample, and clears all gradients.
  void set_sample(const NegativeSample& sample);
  // run() for a group of rows; adds to `loss`. `h` [group, P]: in, the activations; out, their
  // gradient.
  void run_group(const NegativeSample& sample, std::span<const std::int32_t> targets, float scale,
                 float* h, double& loss);
  // Adds the gradients of the targets' weights, and of the activations through them.
  void add_target_gradients(std::span<const std::int32_t> targets, float* h);
  void add_sample_gradients(const NegativeSample& sample);

  SoftmaxLayer& softmax_;
  GradientShare gradients_;
  Products products_;
  // Per sample; S includes padding.
  std::vector<std::int32_t> ids_;         // [S], ids of the sample, then padding
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
