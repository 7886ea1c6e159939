// Entities of HTML that were left in a text.
#pragma once

#include <cstdint>

#include "core/inference/sentence.h"

namespace elmo {

/// Returns the number of HTML entities (&#39;, &#x27;, &quot;) in a sentence with spans. Tokenizers
/// make several tokens of each.
std::uint64_t count_html_entities(const Sentence& sentence);

}  // namespace elmo
