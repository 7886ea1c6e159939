// Scores and answers of word senses, as text and JSON.
#pragma once

#include <string>
#include <vector>

#include "io/engine/senses.h"

namespace elmo {

/// All sets and their sum, in percent: {"sets": [{"file", "instances", "first_candidate",
/// "most_frequent", "layers": {name: {"average", "exemplar"}}}], "all": the same without a file}.
std::string senses_json(const std::vector<SenseSet>& sets);

/// The same for people, one table per set.
std::string senses_text(const std::vector<SenseSet>& sets);

/// The answers as text. For one layer: a line per question that has an answer, with its id and key.
/// For all layers: the header "id\tx\t1…", then a line per question, with its id and one key per
/// layer, separated by tabs. A missing key is empty.
std::string answers_text(const SensesResult& result);

}  // namespace elmo
