#include "io/engine/word_prediction/surprisal.h"

#include <cmath>
#include <limits>

namespace elmo {
namespace {

/// The sum of values [begin, end) that are numbers.
double sum_of_numbers(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  double result = 0;
  for (std::size_t i = begin; i < end; ++i) result += std::isnan(values[i]) ? 0 : values[i];
  return result;
}

}  // namespace

PredictedText run_surprisal(const SurprisalRequest& request, RunListener& listener,
                            const SurprisalListener& found) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> forward;
  std::vector<double> backward;
  std::uint64_t unknown = 0;
  PredictedText text = predict_text(request, listener, [&](const SentencePrediction& prediction) {
    forward.clear();
    backward.clear();
    for (const double log_probability : prediction.forward) {
      if (forward.empty()) forward.push_back(kNone);
      forward.push_back(-request.base * log_probability);
    }
    for (const double log_probability : prediction.backward) {
      backward.push_back(-request.base * log_probability);
    }
    if (!backward.empty()) backward.push_back(kNone);
    unknown += prediction.unknown_tokens(0, prediction.targets.size());
    const std::size_t margin = request.boundaries || forward.empty() ? 0 : 1;
    const std::size_t end = forward.size() - margin;
    found({prediction, forward, backward, margin, end, sum_of_numbers(forward, margin, end),
           sum_of_numbers(backward, margin, end)});
  });
  note_unknown(listener, unknown, text.vocabulary);
  return text;
}

}  // namespace elmo
