#include "io/train/provenance.h"

#include "io/files/checksum.h"
#include "io/json/json.h"
#include "io/model/options.h"
#include "io/model/tokenizer.h"
#include "io/model/vocabulary.h"

namespace elmo {
namespace {

constexpr const char* kRanks = "ranks";
constexpr const char* kThreads = "threads";

std::string vocabulary_hash(const Vocabulary& vocabulary) {
  return std::to_string(vocabulary.size()) + " words, " +
         text_checksum(vocabulary_text(vocabulary));
}

/// Describes the ranks and threads that share the work, such as "2 ranks of 1 thread".
std::string shares_of(const Provenance& settings) {
  const std::string threads = component(settings, kThreads);
  const std::string ranks = component(settings, kRanks);
  return (ranks.empty() ? "" : ranks + " ranks of ") + threads +
         (threads == "1" ? " thread" : " threads");
}

/// Returns true if both are tokenizers of new text, in JSON, as a task records them, and split
/// nearly alike (tokenizer_difference()). The examples' own tokens are hashed in other components.
bool nearly_agree(const std::string& before, const std::string& now) {
  if (!before.starts_with('{') || !now.starts_with('{')) return false;
  return tokenizer_difference(parse_tokenizer(before, kTokenizer), parse_tokenizer(now, kTokenizer))
      .empty();
}

}  // namespace

Provenance training_provenance(const ModelOptions& model, const TrainingOptions& training,
                               const Vocabulary& vocabulary, const std::string& corpus,
                               const Vocabulary* words) {
  Provenance provenance{{"model_options", options_text(model)},
                        {"corpus", corpus},
                        {"vocabulary", vocabulary_hash(vocabulary)},
                        {"state", std::string(kTrainingStates.word(training.state))},
                        {"lanes", std::to_string(training.lanes)},
                        {"unroll", std::to_string(training.unroll)},
                        {"samples", std::to_string(training.samples)},
                        {"dropout", number_text(training.dropout)},
                        {"optimizer", std::string(kOptimizers.word(training.optimizer))},
                        {"learning_rate", number_text(training.learning_rate)},
                        {"weight_decay", number_text(training.weight_decay)},
                        {"initial_accumulator", number_text(training.initial_accumulator)},
                        {"warmup_steps", std::to_string(training.warmup_steps)},
                        {"decay", std::string(kDecays.word(training.decay))},
                        {"total_steps", std::to_string(training.total_steps)},
                        {"gradient_clip", number_text(training.gradient_clip)},
                        {"frozen_steps", std::to_string(training.frozen_steps)},
                        {"seed", std::to_string(training.seed)}};
  // Included only if it is not the default, for compatibility with runs of earlier versions.
  if (training.precision != Precision::float32) {
    provenance.emplace_back("precision", kPrecisions.word(training.precision));
  }
  if (words != nullptr) provenance.emplace_back("words", vocabulary_hash(*words));
  return provenance;
}

Provenance with_ranks(Provenance settings, int ranks, int threads) {
  if (ranks > 1) settings.emplace_back(kRanks, std::to_string(ranks));
  settings.emplace_back(kThreads, std::to_string(threads));
  return settings;
}

Message training_difference(Provenance before, Provenance now) {
  const bool keeps_tokenizer =
      nearly_agree(component(before, kTokenizer), component(now, kTokenizer));
  for (Provenance* provenance : {&before, &now}) {
    std::erase_if(*provenance, [keeps_tokenizer](const auto& component) {
      return component.first == kRanks || component.first == kThreads ||
             (keeps_tokenizer && component.first == kTokenizer);
    });
  }
  return provenance_difference(before, now);
}

std::string shares_difference(const Provenance& before, const Provenance& now) {
  const std::string was = shares_of(before);
  const std::string is = shares_of(now);
  return was == is ? "" : is + " instead of " + was;
}

}  // namespace elmo
