// Trains the probes of all layers side by side, in one go over the activations an epoch.
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
  float rate = 0.005F;  ///< Adam's at first; it falls linearly to 0
  /// Each is tried, decoupled from the gradient: every probe keeps the one that is best on dev.
  std::vector<float> weight_decays = {0.0F};
  std::uint64_t seed = 0;
  int threads = 1;  ///< results do not depend on it
};

/// A corpus and its activations, all layers, a token for a token. Views.
struct ProbedCorpus {
  const LabelCorpus* labels = nullptr;
  ActivationSource* activations = nullptr;
};

/// What a layer knows. The epoch and the weight decay are those that were best on dev.
struct ProbeResult {
  std::string layer;
  int epoch = 0;  ///< 1 for the first
  float weight_decay = 0.0F;
  ProbeScore dev;
  std::optional<ProbeScore> test;
  std::vector<float> shares;  ///< of the mix: s_j, which add up to 1
  float gamma = 1.0F;
};

struct ProbeProgress {
  int epoch = 0;                 ///< that is being trained, 1 for the first
  std::uint64_t tokens = 0;      ///< of all epochs that are done
  std::uint64_t all_tokens = 0;  ///< of all epochs
};

/// Results in the order of probed_layers(). `train` has at least one token, and its labels are not
/// −1. Memory: what TokenStream takes, and weights. None where `stop` became true. NumericError
/// where a loss is not finite; SystemError where threads cannot be had; errors of the sources.
std::optional<std::vector<ProbeResult>> train_probes(
    const ProbedCorpus& train, const ProbedCorpus& dev, const std::optional<ProbedCorpus>& test,
    const BilmShape& bilm, std::int64_t label_count, const ProbeOptions& options,
    const std::atomic<bool>& stop, const std::function<void(const ProbeProgress&)>& show);

}  // namespace elmo
