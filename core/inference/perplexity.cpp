#include "core/inference/perplexity.h"

#include <cmath>

namespace elmo {

namespace {

// Averages the sums of ln p of both directions. The root of the product of perplexities may
// overflow even if the result does not.
Perplexity perplexity_of(double forward, double backward, std::uint64_t predictions) {
  const double forward_loss = -forward / static_cast<double>(predictions);
  const double backward_loss = -backward / static_cast<double>(predictions);
  return {std::exp(forward_loss), std::exp(backward_loss),
          std::exp((forward_loss + backward_loss) / 2)};
}

}  // namespace

void PerplexityResult::add(const SentencePrediction& prediction) {
  const std::size_t count = prediction.forward.size();
  if (count == 0) return;
  ++sentences;
  tokens += count - 1;
  auto& [forward, backward] = log_probability;
  for (std::size_t i = 0; i < count; ++i) {
    forward.all += prediction.forward[i];
    backward.all += prediction.backward[i];
    if (prediction.is_unknown(i + 1)) {
      ++unknown;
      forward.unknown += prediction.forward[i];
    }
    if (prediction.is_unknown(i)) backward.unknown += prediction.backward[i];
  }
}

Perplexity PerplexityResult::perplexity() const {
  const auto& [forward, backward] = log_probability;
  return perplexity_of(forward.all, backward.all, predictions());
}

Perplexity PerplexityResult::known_perplexity() const {
  const auto& [forward, backward] = log_probability;
  return perplexity_of(forward.all - forward.unknown, backward.all - backward.unknown,
                       predictions() - unknown);
}

PerplexityResult perplexity(const Bilm& model, const SoftmaxLayer& softmax, SentenceSource& source,
                            const WordPredictionOptions& options, const std::atomic<bool>& stop,
                            const ProgressListener& progress) {
  PerplexityResult result;
  result.completed =
      predict_words(model, softmax, source, options, stop, progress,
                    [&](const SentencePrediction& prediction) { result.add(prediction); })
          .completed;
  return result;
}

}  // namespace elmo
