// Validation of a model in training on a text.
#pragma once

#include "core/train/bilm/bilm_learner.h"
#include "core/train/bilm/training_options.h"
#include "io/text/source/text_source.h"

namespace elmo {

/// Opens the text again for each validation and computes perplexity as `elmo perplexity` does, with
/// the initial state of the training options. Errors: as open_source and perplexity.
class TextValidator final : public Validator {
 public:
  /// `words`, the words that a word-level model reads, must outlive this object.
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
