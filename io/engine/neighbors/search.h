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

#include "core/inference/sentence.h"
#include "io/engine/listener.h"
#include "io/engine/neighbors/request.h"
#include "io/engine/query.h"

namespace elmo {

/// The neighbors of a query, nearest first.
struct NeighborAnswer {
  struct Occurrence {
    float similarity = 0;
    std::string word;
    std::string file;
    std::uint64_t line = 0;  ///< line where its sentence begins
    Sentence sentence;
    std::size_t token = 0;
  };
  struct Word {
    float similarity = 0;
    std::string word;
  };

  std::vector<Occurrence> occurrences;
  /// Words without context, if the vectors have a layer for them.
  std::optional<std::vector<Word>> words;
};

/// Called with the answers to some queries. Each answer compares `layer`.
using AnswerReport =
    std::function<void(std::span<const BracketedQuery> queries, const std::string& layer,
                       std::span<const NeighborAnswer> answers)>;

/// Answers the query, or the queries on standard input, one per line; blank lines are skipped. If
/// the corpus is a run, answers those that have arrived before it waits for more. REQUIRES:
/// validate(request) passed. Errors: RequestError for a query or a layer that cannot be
/// compared; InputError for a corpus that is missing or empty, and for a run whose vectors cannot
/// be compared with those that the model computes for a query; otherwise as in core and io.
void run_neighbors(const NeighborRequest& request, RunListener& listener,
                   const AnswerReport& answered);

}  // namespace elmo
