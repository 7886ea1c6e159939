// Linear classifiers on frozen activations, to measure what a layer encodes about its tokens'
// labels.
//
// A probe is softmax(h·W + b) (Alain and Bengio 2017; table 6 of Peters et al. 2018), where h is a
// token's vector in one layer, in one direction of a layer, or in a learned mix of all layers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/probe/probed_layer.h"
#include "core/nn/layer.h"
#include "core/nn/linear.h"
#include "core/nn/scalar_mix.h"
#include "core/tasks/common/task_options.h"

namespace elmo {

/// One probe. Not for two threads at once; different probes are independent.
class Probe {
 public:
  /// Begins with equal layer weights and W = 0: the loss is convex in W. The input is multiplied by
  /// `factor`.
  Probe(const ProbedLayer& layer, const BilmShape& bilm, std::int64_t labels, float factor);

  const ProbedLayer& layer() const { return layer_; }
  std::vector<Parameter*> parameters();

  /// Returns the mean loss of tokens with `activations` [N, 2L+1, P] and `labels` [N], N ≥ 1. Adds
  /// its gradient to the parameters' gradients.
  double train(std::span<const float> activations, std::span<const std::int32_t> labels);

  /// Replaces `labels` [N] by the most probable label of each token.
  void predict(std::span<const float> activations, std::span<std::int32_t> labels);

  std::vector<float> shares()
      const;  ///< layer weights s [L + 1] of the mix; empty for other probes
  float gamma() const { return mix_ ? mix_->gamma() : 1.0F; }

 private:
  void forward(std::span<const float> activations, std::int64_t tokens);

  ProbedLayer layer_;
  float factor_;
  std::optional<ScalarMix> mix_;
  Linear linear_;
  Matrix input_;
  Matrix logits_;
  Matrix input_gradient_;
};

}  // namespace elmo
