// The perplexity of a text.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "core/inference/perplexity.h"
#include "core/kernels/precision.h"
#include "io/engine/listener.h"
#include "io/engine/model.h"
#include "io/text/input/input_options.h"
#include "io/text/input/text_source.h"

namespace elmo {

struct PerplexityRequest {
  InputOptions input;
  ModelSpec model;  ///< must have a softmax
  PerplexityOptions options;
  Precision precision = Precision::float32;
};

/// The result for a text of at least one token.
struct PerplexitySummary {
  PerplexityResult result;
  std::uint64_t vocabulary = 0;     ///< words of the softmax
  std::uint64_t cut_sentences = 0;  ///< longer than kDefaultMaxSentenceTokens
  InputCounters input;
  std::chrono::duration<double> time{};
};

/// Called with each sentence, as elmo::PredictionListener. Tokens whose target is `unknown_row` are
/// not in the vocabulary.
using PredictionReport =
    std::function<void(const SentencePrediction& prediction, std::int64_t unknown_row)>;

/// Predicts the whole text. Calls `predicted`, unless it is null, after each sentence. Errors:
/// InputError for a text without tokens and for a model without its softmax; otherwise as in core
/// and io.
PerplexitySummary run_perplexity(const PerplexityRequest& request, RunListener& listener,
                                 const PredictionReport& predicted);

}  // namespace elmo
