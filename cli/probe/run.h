// Probes: how well each layer of a biLM predicts the labels of tokens.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/common/features.h"
#include "cli/common/listener.h"
#include "core/analysis/probe.h"
#include "io/labeled/labeled_sentences.h"
#include "io/model/model.h"

namespace elmo {

struct ProbeRequest {
  std::string train;
  std::string dev;
  std::optional<std::string> test;
  std::optional<LabeledFormat> format;  ///< of all files; nothing: by name and content
  std::string column;                   ///< of CoNLL-U
  ProbeOptions options;                 ///< with the threads of `features`
  FeatureOptions features;
  std::optional<std::filesystem::path> folder;  ///< of the activations; nothing: a temporary one
};

/// A corpus, and the score of predicting the most frequent label of each word.
struct ProbeBaseline {
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::uint64_t unseen_labels = 0;  ///< tokens whose label is not in the training data
  ProbeScore score;
};

/// The results of the probes, and the sizes of the data.
struct ProbeSummary {
  std::uint64_t labels = 0;
  std::uint64_t train_sentences = 0;
  std::uint64_t train_tokens = 0;
  ProbeBaseline dev;
  std::optional<ProbeBaseline> test;
  std::vector<ProbeResult> layers;
};

class ProbeListener : public RunListener {
 public:
  /// Called often while probes are trained.
  virtual void trained(const ProbeProgress& /*progress*/, int /*epochs*/) {}
};

/// Computes the missing activations and trains a probe on each layer. Returns nothing if `stop`
/// became true. Errors: RequestError for a file that can be read only once; otherwise as in core
/// and io.
std::optional<ProbeSummary> run_probe(const ProbeRequest& request, LoadedModel model,
                                      ProbeListener& listener, const std::atomic<bool>& stop);

}  // namespace elmo
