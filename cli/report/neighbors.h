// Nearest neighbors, for people and for programs.
#pragma once

#include <string>

#include "cli/run/neighbors/corpus.h"

namespace elmo {

/// One line of JSON: {"query", "word", "layer", "neighbors": [{"similarity", "word", "file",
/// "line", "sentence"}], "without_context": [{"similarity", "word"}]}, where sentences have their
/// word in [brackets] and are queries themselves; null without context where vectors do not have
/// it.
std::string neighbors_json(const BracketedQuery& query, const std::string& layer,
                           const NeighborAnswer& answer);

/// The same for people: the query, a line each, long sentences cut around the word.
std::string neighbors_text(const BracketedQuery& query, const NeighborAnswer& answer);

}  // namespace elmo
