// Probes: how well each layer of a biLM predicts the labels of tokens.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/probe.h"
#include "io/engine/features.h"
#include "io/engine/listener.h"
#include "io/engine/model.h"
#include "io/labeled/example_file.h"
#include "io/model/model.h"

namespace elmo {

struct ProbeRequest {
  std::string train;
  std::string dev;
  std::string test;                            ///< empty: none
  std::optional<TextForm> form;                ///< form of all files; nothing: by name and content
  std::string column = ExampleInput{}.column;  ///< label column of all files
  ProbeOptions options;                        ///< uses the threads of `features`
  FeatureOptions features;
  std::string picture;  ///< file for the caller's drawing of the result; empty: none
};

/// Throws RequestError for a negative weight decay, or if the picture would replace a labeled file.
void validate(const ProbeRequest& request);

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

/// Computes the missing activations and trains a probe on each layer. Calls `trained` often while
/// probes are trained. Returns nothing if `stop` became true. Errors: RequestError for a file that
/// can be read only once; otherwise as in core and io.
std::optional<ProbeSummary> run_probe(const ProbeRequest& request, RunListener& listener,
                                      const std::function<void(const ProbeProgress&)>& trained,
                                      const std::atomic<bool>& stop);

}  // namespace elmo
