#include "io/train/text_validator.h"

#include <memory>
#include <utility>

#include "core/evaluate/perplexity.h"
#include "core/inference/sentence_cutter.h"
#include "core/model/bilm.h"

namespace elmo {

TextValidator::TextValidator(InputOptions input, const TrainingOptions& options,
                             const Vocabulary* words)
    : input_(std::move(input)), options_(options), words_(words) {}

std::optional<ValidationScores> TextValidator::validate(const Trainer& trainer,
                                                        std::uint64_t max_tokens,
                                                        const std::atomic<bool>& stop,
                                                        const EvaluationProgress& progress) {
  const std::unique_ptr<TextSource> text = open_source(input_);
  SentenceCutter source(*text, kDefaultMaxSentenceTokens);
  PerplexityOptions options;
  options.threads = options_.threads;
  options.max_tokens = max_tokens;
  if (options_.state == TrainingState::carry) {
    options.initial_state = InitialState::carry;
    options.lanes = static_cast<int>(options_.lanes);
  }
  std::optional<Vocabulary> words;
  if (words_ != nullptr) words.emplace(words_->words());
  const TrainedBilm& trained = trainer.model();
  const Bilm model(trained.options, trained.parameters.values_only(), Precision::float32,
                   std::move(words));
  const PerplexityResult result = perplexity(
      model, trained.softmax, source, options, stop,
      [&progress](const EmbedProgress& done) { progress(done.tokens); }, nullptr);
  if (!result.completed) return std::nullopt;
  return ValidationScores{result.tokens, result.perplexity(0), result.perplexity(1),
                          result.average()};
}

}  // namespace elmo
