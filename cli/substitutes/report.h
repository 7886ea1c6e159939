// Substitutes as text and JSON.
#pragma once

#include <string>

#include "io/engine/word_prediction/substitutes.h"

namespace elmo {

/// One line of JSON: {"document", "line", "token", "word", "query", "forward": [{"word",
/// "log_probability"}], "backward", "both"}. The query has the word in [brackets].
std::string substitutes_json(const SubstituteAnswer& answer);

/// The same for people: the query, then a line per list.
std::string substitutes_text(const SubstituteAnswer& answer);

}  // namespace elmo
