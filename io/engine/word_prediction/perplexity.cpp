#include "io/engine/word_prediction/perplexity.h"

#include <cmath>
#include <string>

#include "core/error.h"

namespace elmo {

PerplexitySummary run_perplexity(const WordPredictionRequest& request, RunListener& listener) {
  PerplexitySummary summary;
  summary.text = predict_text(request, listener, [&](const SentencePrediction& prediction) {
    summary.result.add(prediction);
  });
  if (!std::isfinite(summary.result.perplexity().average)) {
    throw NumericError("the perplexity is infinite; expected a number; the model's weights or " +
                       std::string("those of its softmax are damaged"));
  }
  return summary;
}

}  // namespace elmo
