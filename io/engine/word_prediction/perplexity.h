// The perplexity of a text.
#pragma once

#include "core/inference/perplexity.h"
#include "io/engine/listener.h"
#include "io/engine/word_prediction/predicting_model.h"

namespace elmo {

struct PerplexitySummary {
  PerplexityResult result;
  PredictedText text;
};

/// Predicts the whole text. NumericError for a perplexity that is infinite; other errors as
/// predict_text.
PerplexitySummary run_perplexity(const WordPredictionRequest& request, RunListener& listener);

}  // namespace elmo
