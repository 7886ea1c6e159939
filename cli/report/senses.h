// How well senses are found, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "core/analysis/senses/sense_scores.h"

namespace elmo {

/// Scores of one file.
struct SenseSet {
  std::string file;
  SenseScores scores;
};

/// All sets and their sum, in percent: {"sets": [{"file", "instances", "first_candidate",
/// "most_frequent", "layers": {name: {"average", "exemplar"}}}], "all": the same without a file}.
std::string senses_json(const std::vector<SenseSet>& sets);

/// The same for people, a table a set.
std::string senses_text(const std::vector<SenseSet>& sets);

}  // namespace elmo
