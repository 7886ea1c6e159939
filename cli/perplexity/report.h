// Perplexity of a text, as text and JSON.
#pragma once

#include <string>
#include <vector>

#include "io/engine/word_prediction/perplexity.h"

namespace elmo {

/// The result as JSON, with numbers in full precision.
std::string perplexity_json(const PerplexitySummary& summary);

/// The result for people, in lines.
std::vector<std::string> perplexity_lines(const PerplexitySummary& summary);

}  // namespace elmo
