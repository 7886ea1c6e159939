// How well a model predicts a text, for people and for programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/evaluate/perplexity.h"

namespace elmo {

/// The result as JSON, with numbers in full.
std::string perplexity_json(const PerplexityResult& result, const SoftmaxLayer& softmax);

/// The result for people, a line each. The text has a token.
std::vector<std::string> perplexity_lines(const PerplexityResult& result,
                                          const SoftmaxLayer& softmax);

/// A line of JSON for a sentence. All lists begin with <S> and end with </S>; what a direction does
/// not predict is null. Tokens whose target is `unknown_row` are not in the vocabulary.
std::string prediction_json(const SentencePrediction& prediction, std::int64_t unknown_row);

}  // namespace elmo
