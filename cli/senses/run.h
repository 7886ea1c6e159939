// Word senses by the nearest labeled occurrence, for each layer.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/common/features.h"
#include "cli/common/listener.h"
#include "core/analysis/senses.h"
#include "io/model/model.h"

namespace elmo {

/// Which answers to keep.
struct SensePrediction {
  std::optional<std::string> layer;  ///< "x", "1", …; nothing: all layers
  SenseNeighbor by = SenseNeighbor::exemplar;
};

struct SensesRequest {
  std::vector<std::string> train;  ///< at least one file
  std::vector<std::string> test;   ///< at least one file
  std::optional<std::string> candidates;
  float prior = 0;
  FeatureOptions features;
  /// Where activations of all sentences are kept, in one folder per file. Nothing: only sentences
  /// with relevant instances are computed, and not kept.
  std::optional<std::filesystem::path> folder;
  std::optional<SensePrediction> predict;
};

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
  std::vector<std::string> layers;   ///< of the answers
  std::vector<SenseAnswer> answers;  ///< empty unless requested
  std::uint64_t examples = 0;        ///< training instances used
  std::uint64_t words = 0;           ///< of the questions
  std::uint64_t names = 0;           ///< instances of names, left out of training
  std::uint64_t tokens = 0;          ///< embedded
};

/// Compares the instances of `test` with those of `train`. Errors: RequestError for a layer that
/// the model lacks, or for two files of one name if activations are kept; InputError if there is
/// nothing to ask or to learn from; otherwise as in core and io.
SensesResult run_senses(const SensesRequest& request, LoadedModel model, RunListener& listener);

}  // namespace elmo
