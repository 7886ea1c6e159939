// Nearest neighbors as text and JSON.
#pragma once

#include <string>

#include "io/engine/neighbors/search.h"

namespace elmo {

/// One line of JSON: {"query", "word", "layer", "neighbors": [{"similarity", "word", "file",
/// "line", "sentence"}], "without_context": [{"similarity", "word"}]}. Each sentence has its word
/// in [brackets], like a query. "without_context" is null if the vectors have no layer without
/// context.
std::string neighbors_json(const BracketedQuery& query, const std::string& layer,
                           const NeighborAnswer& answer);

/// The same for people: the query, then a line per neighbor. Long sentences are cut around the
/// word.
std::string neighbors_text(const BracketedQuery& query, const NeighborAnswer& answer);

}  // namespace elmo
