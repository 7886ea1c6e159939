// Word senses by the nearest labeled occurrence, layer by layer.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/run/features.h"
#include "cli/run/listener.h"
#include "core/analysis/senses/sense_scores.h"
#include "core/analysis/senses/sense_search.h"
#include "io/model/model.h"

namespace elmo {

/// Which answers to keep.
struct SensePrediction {
  std::optional<std::string> layer;  ///< "x", "1", …; none: all of them
  SenseNeighbor by = SenseNeighbor::exemplar;
};

struct SensesRequest {
  std::vector<std::string> train;  ///< at least one file
  std::vector<std::string> test;   ///< likewise
  std::optional<std::string> candidates;
  float prior = 0;
  FeatureOptions features;
  /// Where activations of all sentences are kept, a folder a file; none: those of the sentences
  /// that matter are computed, and not kept.
  std::optional<std::filesystem::path> folder;
  std::optional<SensePrediction> predict;
};

/// Scores of one file.
struct SenseSet {
  std::string file;
  SenseScores scores;
};

/// The answers to one question: a key of each layer; none where its word has no sense.
struct SenseAnswer {
  std::string id;
  std::vector<std::optional<std::string>> keys;  ///< [layers]
};

struct SensesResult {
  std::vector<SenseSet> sets;
  std::vector<std::string> layers;   ///< of the answers
  std::vector<SenseAnswer> answers;  ///< none unless they were asked for
  std::uint64_t examples = 0;        ///< learned from
  std::uint64_t words = 0;           ///< that were asked for
  std::uint64_t names = 0;           ///< left out of training
  std::uint64_t tokens = 0;          ///< embedded
};

/// Holds the instances of `test` against those of `train`. RequestError for a layer that the model
/// lacks, or two files of one name where activations are kept; InputError where there is nothing to
/// ask or to learn from; else as core and io throw them.
SensesResult run_senses(const SensesRequest& request, LoadedModel model, RunListener& listener);

}  // namespace elmo
