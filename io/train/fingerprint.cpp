#include "io/train/fingerprint.h"

#include <array>
#include <charconv>

#include "io/files/checksum.h"
#include "io/model/published/options.h"
#include "io/model/vocabulary.h"

namespace elmo {
namespace {

/// The shortest text that reads back as the same number.
std::string text_of(float number) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

std::string decay_name(Decay decay) {
  switch (decay) {
    case Decay::cosine:
      return "cosine";
    case Decay::linear:
      return "linear";
    case Decay::none:
      return "none";
  }
  return {};
}

std::string vocabulary_hash(const Vocabulary& vocabulary) {
  Checksum checksum;
  checksum.add(vocabulary_text(vocabulary));
  return std::to_string(vocabulary.size()) + " words, " + checksum.hex();
}

}  // namespace

RunFingerprint training_fingerprint(const ModelOptions& model, const TrainingOptions& training,
                                    const Vocabulary& vocabulary, const std::string& corpus) {
  return {{"model_options", options_text(model)},
          {"corpus", corpus},
          {"vocabulary", vocabulary_hash(vocabulary)},
          {"state", training.state == TrainingState::sentence ? "sentence" : "carry"},
          {"lanes", std::to_string(training.lanes)},
          {"unroll", std::to_string(training.unroll)},
          {"samples", std::to_string(training.samples)},
          {"dropout", text_of(training.dropout)},
          {"optimizer", training.optimizer == Optimizer::adam ? "adam" : "adagrad"},
          {"learning_rate", text_of(training.learning_rate)},
          {"weight_decay", text_of(training.weight_decay)},
          {"initial_accumulator", text_of(training.initial_accumulator)},
          {"warmup_steps", std::to_string(training.warmup_steps)},
          {"decay", decay_name(training.decay)},
          {"total_steps", std::to_string(training.total_steps)},
          {"gradient_clip", text_of(training.gradient_clip)},
          {"frozen_steps", std::to_string(training.frozen_steps)},
          {"seed", std::to_string(training.seed)}};
}

}  // namespace elmo
