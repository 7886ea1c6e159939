// Probes: what each layer of a biLM knows of the labels of tokens.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/run/features.h"
#include "cli/run/listener.h"
#include "core/analysis/probe/probe_training.h"
#include "io/labeled/tokens/labeled_sentences.h"
#include "io/model/model.h"

namespace elmo {

struct ProbeRequest {
  std::string train;
  std::string dev;
  std::optional<std::string> test;
  std::optional<LabeledFormat> format;  ///< of all files; none: by name and content
  std::string column;                   ///< of CoNLL-U
  ProbeOptions options;                 ///< its threads are those of `features`
  FeatureOptions features;
  std::optional<std::filesystem::path> folder;  ///< of the activations; none: a temporary one
};

/// A corpus, and how far the most frequent label of each word goes.
struct ProbeBaseline {
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::uint64_t unseen_labels = 0;  ///< tokens whose label training does not have
  ProbeScore score;
};

/// What the probes know, and what it is of.
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

/// Computes the activations that are missing, and trains a probe on each layer. Nothing where
/// `stop` became true. RequestError for a file that can be read only once; else as core and io
/// throw them.
std::optional<ProbeSummary> run_probe(const ProbeRequest& request, LoadedModel model,
                                      ProbeListener& listener, const std::atomic<bool>& stop);

}  // namespace elmo
