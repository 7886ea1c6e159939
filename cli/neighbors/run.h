// The nearest occurrences of words in context, and their nearest words without. The corpus is a run
// of shards, or text that is embedded during the search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/common/listener.h"
#include "cli/common/request.h"
#include "core/kernels/precision.h"
#include "io/labeled/bracketed_query.h"
#include "io/text/input/input_options.h"

namespace elmo {

struct NeighborRequest {
  GivenOptions given;
  /// A run, or files and folders of text. A name with brackets that is not a file is the query.
  std::vector<std::string> corpus;
  std::string query;  ///< empty, and none in `corpus`: queries are on standard input
  ModelRequest model;
  InputOptions input;  ///< of the corpus, if it is text
  std::size_t count = 10;
  std::string layer;  ///< empty: the top layer
  // Words to find; neither: all. Case is ignored.
  bool same_word = false;              ///< only the query's word
  bool other_words = false;            ///< all but the query's word
  std::optional<Precision> precision;  ///< nothing: as in the corpus, otherwise float32
  int threads = 0;
  std::optional<bool> json;  ///< nothing: a table on a terminal
  bool quiet = false;

  bool any_word() const { return !same_word && !other_words; }
};

/// The neighbors of a query, nearest first.
struct NeighborAnswer {
  struct Occurrence {
    float similarity = 0;
    std::string word;
    std::string file;
    std::uint64_t line = 0;  ///< where its sentence begins
    Sentence sentence;
    std::size_t token = 0;
  };
  struct Word {
    float similarity = 0;
    std::string word;
  };

  std::vector<Occurrence> occurrences;
  std::optional<std::vector<Word>> words;  ///< without context, if vectors have a layer for it
};

/// Is called with the answers to some queries, each of which compares `layer`.
using AnswerReport =
    std::function<void(std::span<const BracketedQuery> queries, const std::string& layer,
                       std::span<const NeighborAnswer> answers)>;

/// Answers the query, or the queries on standard input, one per line; blank lines are skipped. If
/// the corpus is a run, answers those that have arrived before it waits for more. Errors:
/// RequestError for options that cannot be combined, for names of both a run and others, and for an
/// HDF5 file; InputError for a corpus that is missing or empty, and for a run whose vectors cannot
/// be compared with those that the model computes for a query; otherwise as in core and io.
void run_neighbors(const NeighborRequest& request, RunListener& listener,
                   const AnswerReport& answered);

}  // namespace elmo
