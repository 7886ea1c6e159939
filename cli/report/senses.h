// How well senses are found, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "cli/run/senses.h"

namespace elmo {

/// All sets and their sum, in percent: {"sets": [{"file", "instances", "first_candidate",
/// "most_frequent", "layers": {name: {"average", "exemplar"}}}], "all": the same without a file}.
std::string senses_json(const std::vector<SenseSet>& sets);

/// The same for people, a table a set.
std::string senses_text(const std::vector<SenseSet>& sets);

/// The answers. Of one layer: a line for each question that has an answer, its id and the key. Of
/// all: a head line "id\tx\t1…", then a line for each question, its id and a key a layer, with tabs
/// between them; empty where there is none.
std::string answers_text(const SensesResult& result);

}  // namespace elmo
