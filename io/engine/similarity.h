// How similar pairs of uses of words are, in each layer, and how well that agrees with people.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/kernels/precision.h"
#include "io/engine/listener.h"
#include "io/engine/model.h"
#include "io/text/input/input_options.h"

namespace elmo {

struct SimilarityRequest {
  /// A file with a pair per line ("-": standard input): two sentences with a [bracketed] word each,
  /// separated by a tab; or WiC's columns: target, part of speech, i-j, and two sentences, whose
  /// words are their blank-separated tokens number i and j, from 0. One more column may hold a
  /// rating, or T (same sense) or F.
  std::string file;
  ModelSpec model;
  InputOptions input;  ///< how the sentences with brackets are tokenized
  Precision precision = Precision::float32;
  int threads = 0;
};

/// Judgments of people about pairs.
enum class PairGold { none, rating, label };

struct UsePair {
  std::uint64_t line = 0;
  std::array<std::string, 2> words;
  double gold = 0;              ///< the rating; 1 for T and 0 for F
  std::vector<double> cosines;  ///< in each layer; 0 for a vector of zeros
};

struct SimilarityOutcome {
  std::vector<std::string> layers;
  std::vector<UsePair> pairs;
  PairGold gold = PairGold::none;
  /// Figures with their names, each in all layers: "spearman" for ratings; "auc", "accuracy" and
  /// "threshold" for labels (see BinaryScore). Nothing where a figure is not defined.
  std::vector<std::pair<std::string, std::vector<std::optional<double>>>> agreement;
};

/// Computes all pairs. A word of several tokens has the mean of their vectors. Errors: InputError,
/// with file and line, for a line of another form, for a word that is not there, and for gold of
/// another kind than in the first line; InputError for a file without pairs; otherwise as in core
/// and io.
SimilarityOutcome run_similarity(const SimilarityRequest& request, RunListener& listener);

}  // namespace elmo
