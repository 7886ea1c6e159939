// Linear classifiers on frozen activations: what a layer knows of the labels of its tokens.
//
// A probe is softmax(h·W + b) (Alain and Bengio 2017; table 6 of Peters et al. 2018) of what one
// layer, one of its directions, or a learned mix of all layers says of a token.
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

/// One probe. Not for two threads at once; two probes do not disturb each other.
class Probe {
 public:
  /// Begins with equal shares, and with weights of zero: the loss is convex in them. What it reads
  /// is multiplied by `factor` first.
  Probe(const ProbedLayer& layer, const BilmShape& bilm, std::int64_t labels, float factor);

  const ProbedLayer& layer() const { return layer_; }
  std::vector<Parameter*> parameters();

  /// The mean loss of tokens with `activations` [N, 2L+1, P] and `labels` [N], at least one of
  /// them. Adds its gradient to the parameters'.
  double train(std::span<const float> activations, std::span<const std::int32_t> labels);

  /// The most probable label of each token: `labels` [N] is replaced.
  void predict(std::span<const float> activations, std::span<std::int32_t> labels);

  std::vector<float> shares() const;  ///< of a mix: [L + 1] s; else none
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
