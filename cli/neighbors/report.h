// Nearest neighbors as text and JSON, and the map of a word as a page.
#pragma once

#include <string>
#include <string_view>

#include "io/engine/neighbors/map.h"
#include "io/engine/neighbors/search.h"

namespace elmo {

/// map.html, which the build makes part of the program.
extern const std::string_view kMapTemplate;

/// One line of JSON: {"query", "word", "layer", "neighbors": [{"similarity", "word", "file",
/// "line", "sentence"}], "without_context": [{"similarity", "word"}]}. Each sentence has its word
/// in [brackets], like a query. "without_context" is null if the vectors have no layer without
/// context.
std::string neighbors_json(const BracketedQuery& query, const std::string& layer,
                           const NeighborAnswer& answer);

/// The same for people: the query, then one line per neighbor. Long sentences are cut around the
/// word.
std::string neighbors_text(const BracketedQuery& query, const NeighborAnswer& answer);

/// A line of JSON per cluster, the largest first: {"word", "layer", "cluster", "size",
/// "sentences"}, whose elements are like those of "neighbors" above, the most central first.
std::string clusters_json(const WordMap& map);

/// Returns a self-contained page of HTML that loads nothing. Its data are JSON: columns of the
/// points, and names of documents and labels. Any text is shown as text. Characters that control a
/// terminal or the order of letters, and code points that are no characters, are shown as U+FFFD.
std::string map_page(const WordMap& map);

}  // namespace elmo
