// Word senses by the nearest labeled occurrence, for each layer.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/senses.h"
#include "io/engine/features.h"
#include "io/engine/listener.h"
#include "io/engine/model.h"

namespace elmo {

/// Selects the answers of all layers.
inline constexpr const char* kAllLayers = "all";

struct SensesRequest {
  std::vector<std::string> train;  ///< at least one file
  std::vector<std::string> test;   ///< at least one file
  std::string candidates;          ///< file; empty: the senses in `train`
  float prior = 0;
  std::string predict;  ///< file that the caller writes the answers to; empty: no answers
  std::string layer;    ///< layer of the answers: "x", "1", …, kAllLayers; empty: the top layer
  SenseNeighbor by = SenseNeighbor::exemplar;  ///< how the answers are found
  /// Its folder keeps the activations of all sentences, in one folder per file. Without it, only
  /// sentences with relevant instances are computed, and not kept.
  FeatureOptions features;
};

/// Throws RequestError for pipes that would be read twice, or if `predict` is a file of senses or
/// lies among the kept activations.
void validate(const SensesRequest& request);

/// Scores of one file.
struct SenseSet {
  std::string file;
  SenseScores scores;
};

/// The answers to one question: one key per layer, or nothing if its word has no sense.
struct SenseAnswer {
  std::string id;
  std::vector<std::optional<std::string>> keys;  ///< [layers]
};

struct SensesResult {
  std::vector<SenseSet> sets;
  std::vector<std::string> layers;   ///< layers of the answers
  std::vector<SenseAnswer> answers;  ///< empty unless requested
  std::uint64_t examples = 0;        ///< training instances used
  std::uint64_t words = 0;           ///< number of words with questions
  std::uint64_t names = 0;           ///< instances of names, left out of training
  std::uint64_t tokens = 0;          ///< number of embedded tokens
};

/// Compares the instances of `test` with the instances of `train`. Errors: RequestError for a layer
/// that the model lacks, or for two files with one name if activations are kept; InputError if
/// there are no questions or no training instances; otherwise as in core and io. Returns nothing if
/// `stop` became true.
std::optional<SensesResult> run_senses(const SensesRequest& request, RunListener& listener,
                                       const std::atomic<bool>& stop);

}  // namespace elmo
