// How many senses are found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/senses/sense_search.h"

namespace elmo {

/// Answers to questions, each of which has one, or none where the word is not known.
struct SenseCount {
  std::uint64_t instances = 0;
  std::uint64_t answered = 0;
  std::uint64_t correct = 0;

  /// 2PR / (P + R) of precision P = correct / answered and recall R = correct / instances.
  double f1() const;
  SenseCount& operator+=(const SenseCount& other);
};

/// What was found in one file, or in all of them.
struct SenseScores {
  struct Layer {
    std::string name;
    SenseCount average, exemplar;
  };

  SenseCount first_candidate, most_frequent;
  std::vector<Layer> layers;

  SenseScores& operator+=(const SenseScores& other);
};

/// A question in a file, beside its number in the search.
struct SenseQuestion {
  std::string id;
  std::vector<std::string> keys;  ///< any of them is right
};

/// Scores of the questions from `first` on, the search being finished. `prior` as in
/// SenseSearch::answer.
SenseScores score_senses(const SenseSearch& search, const SenseInventory& inventory,
                         const std::vector<SenseQuestion>& questions, std::size_t first,
                         float prior);

}  // namespace elmo
