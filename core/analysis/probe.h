// Linear classifiers on frozen activations, to measure what a layer encodes about its tokens'
// labels.
//
// A probe is softmax(h·W + b) (Alain and Bengio 2017; table 6 of Peters et al. 2018), where h is a
// token's vector in one layer, in one direction of a layer, or in a learned mix of all layers.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/probe_corpus.h"
#include "core/inference/activations.h"
#include "core/nn/affine.h"
#include "core/nn/layer.h"
#include "core/nn/scalar_mix.h"
#include "core/tasks/common/task_options.h"

namespace elmo {

/// A part of a token's activations [2L+1, P], or the mix of its layers.
struct ProbedLayer {
  std::string name;          ///< "x", "forward_1", "backward_1", "1" (both directions), …, "mix"
  std::int64_t column = 0;   ///< first column that it reads
  std::int64_t columns = 0;  ///< number of columns
  bool mixed = false;        ///< all layers, mixed with learned weights
};

/// In this order: the token layer; for each layer, its directions and both together; the mix.
std::vector<ProbedLayer> probed_layers(const BilmShape& bilm);

/// One probe. Not for two threads at once; different probes are independent.
class Probe {
 public:
  /// Begins with equal layer weights and W = 0: the loss is convex in W. The input is multiplied by
  /// `factor`.
  Probe(const ProbedLayer& layer, const BilmShape& bilm, std::int64_t labels, float factor);

  const ProbedLayer& layer() const { return layer_; }
  std::vector<Parameter*> parameters() { return parameters_of(linear_, mix_); }

  /// Returns the mean loss of tokens with `activations` [N, 2L+1, P] and `labels` [N], N ≥ 1. Adds
  /// its gradient to the parameters' gradients.
  double train(std::span<const float> activations, std::span<const std::int32_t> labels);

  /// Replaces `labels` [N] by the most probable label of each token.
  void predict(std::span<const float> activations, std::span<std::int32_t> labels);

  /// Layer weights s [L + 1] of the mix; empty for other probes.
  std::vector<float> shares() const;
  float gamma() const { return mix_ ? mix_->gamma() : 1.0F; }

 private:
  void forward(std::span<const float> activations, std::int64_t tokens);

  ProbedLayer layer_;
  float factor_;
  std::optional<ScalarMix> mix_;
  Affine linear_;
  Matrix input_;
  Matrix logits_;
  Matrix input_gradient_;
};

/// Factors that scale the inputs of each of probed_layers() to a mean square of 1, estimated from a
/// sample [N, 2L+1, P] of at least one token. For the mix, the numbers of all layers count. The
/// factor is 1 if all numbers are 0. Any thread.
std::vector<float> layer_scales(std::span<const float> sample, const BilmShape& bilm);

/// Options for training probes: AdamW over all training tokens in random order.
struct ProbeOptions {
  int epochs = 10;
  std::int64_t batch_tokens = 512;
  float rate = 0.005F;  ///< initial rate of Adam; decays linearly to 0
  /// Values to try, decoupled from the gradient. Each layer keeps the one that is best on dev.
  std::vector<float> weight_decays = {0.0F};
  std::uint64_t seed = 0;
  int threads = 1;  ///< does not affect results
};

/// A corpus and its activations of all layers, token by token. Views.
struct ProbedCorpus {
  const LabelCorpus* labels = nullptr;
  ActivationSource* activations = nullptr;
};

/// Accuracy of a layer's probe, with the epoch and the weight decay that were best on dev.
struct ProbeResult {
  std::string layer;
  int epoch = 0;  ///< counted from 1
  float weight_decay = 0.0F;
  ProbeScore dev;
  std::optional<ProbeScore> test;
  std::vector<float> shares;  ///< mix only: layer weights s_j, which sum to 1
  float gamma = 1.0F;
};

/// Progress of training the probes.
struct ProbeProgress {
  int epoch = 0;                 ///< current epoch, from 1
  std::uint64_t tokens = 0;      ///< done so far in all epochs
  std::uint64_t all_tokens = 0;  ///< total of all epochs
};

/// Returns results in the order of probed_layers(), or nothing if `stop` became true. `train` must
/// have at least one token, and none of its labels may be −1. Memory: the buffers of TokenStream
/// and the weights. NumericError if a loss is not finite; SystemError if threads cannot be started;
/// errors of the sources.
std::optional<std::vector<ProbeResult>> train_probes(
    const ProbedCorpus& train, const ProbedCorpus& dev, const std::optional<ProbedCorpus>& test,
    const BilmShape& bilm, std::int64_t label_count, const ProbeOptions& options,
    const std::atomic<bool>& stop, const std::function<void(const ProbeProgress&)>& show);

}  // namespace elmo
