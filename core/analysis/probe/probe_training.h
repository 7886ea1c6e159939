// Trains the probes of all layers together, in one pass over the activations per epoch.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/probe/label_corpus.h"
#include "core/analysis/probe/probe_score.h"
#include "core/inference/activation_source.h"
#include "core/tasks/common/task_options.h"

namespace elmo {

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
  int epoch = 0;  ///< from 1
  float weight_decay = 0.0F;
  ProbeScore dev;
  std::optional<ProbeScore> test;
  std::vector<float> shares;  ///< of the mix: layer weights s_j, which sum to 1
  float gamma = 1.0F;
};

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
