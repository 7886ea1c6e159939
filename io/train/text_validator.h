// Validation of a model in training, on a text.
#pragma once

#include "core/train/bilm/bilm_learner.h"
#include "core/train/bilm/training_options.h"
#include "io/text/source/text_source.h"

namespace elmo {

/// Opens the text again for each validation, and predicts it as `elmo perplexity` does, from the
/// state that the model is trained with. Errors: as open_source and perplexity.
class TextValidator final : public Validator {
 public:
  /// `words`, which have to outlive it, are those that a word-level model reads.
  TextValidator(InputOptions input, const TrainingOptions& options,
                const Vocabulary* words = nullptr);

  std::optional<ValidationScores> validate(const Trainer& trainer, std::uint64_t max_tokens,
                                           const std::atomic<bool>& stop,
                                           const EvaluationProgress& progress) override;

 private:
  InputOptions input_;
  TrainingOptions options_;
  const Vocabulary* words_;
};

}  // namespace elmo
