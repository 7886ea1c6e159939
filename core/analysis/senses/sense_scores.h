// Scores of word sense disambiguation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/senses/sense_search.h"

namespace elmo {

/// Counts of answers. A question has one answer, or none if the word is unknown.
struct SenseCount {
  std::uint64_t instances = 0;
  std::uint64_t answered = 0;
  std::uint64_t correct = 0;

  /// 2PR / (P + R) of precision P = correct / answered and recall R = correct / instances.
  double f1() const;
  SenseCount& operator+=(const SenseCount& other);
};

/// Scores of one file, or of all files.
struct SenseScores {
  struct Layer {
    std::string name;
    SenseCount average, exemplar;
  };

  SenseCount first_candidate, most_frequent;
  std::vector<Layer> layers;

  SenseScores& operator+=(const SenseScores& other);
};

/// A question of a file. Its number in the search is not stored.
struct SenseQuestion {
  std::string id;
  std::vector<std::string> keys;  ///< each counts as correct
};

/// Scores the questions of the search from number `first` on. The search must be finished. `prior`:
/// see SenseSearch::answer.
SenseScores score_senses(const SenseSearch& search, const SenseInventory& inventory,
                         const std::vector<SenseQuestion>& questions, std::size_t first,
                         float prior);

}  // namespace elmo
