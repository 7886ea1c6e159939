// A corpus and trainers small enough for fast steps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/model/parameters.h"
#include "core/train/bilm/trainer.h"
#include "tests/fixtures/models.h"

namespace elmo {

inline constexpr std::size_t kSentences = 20;
inline constexpr std::size_t kWords = 8;  // words in a sentence

/// Sentences of kWords tokens. Their first and last tokens occur nowhere else.
class LittleCorpus {
 public:
  LittleCorpus() {
    std::mt19937_64 engine(3);
    const auto add = [this](const std::string& token) {
      const auto place = std::find(types_.begin(), types_.end(), token);
      tokens_.push_back(kFirstType + static_cast<std::uint32_t>(place - types_.begin()));
      if (place == types_.end()) types_.push_back(token);
    };
    for (std::size_t s = 0; s < kSentences; ++s) {
      add("first" + std::to_string(s));
      for (std::size_t w = 2; w < kWords; ++w) add("word" + std::to_string(engine() % 30));
      add("last" + std::to_string(s));
      sentence_ends_.push_back(tokens_.size());
    }
    targets_ = {0, 1};
    for (std::size_t i = 0; i < types_.size(); ++i) {
      targets_.push_back(static_cast<std::int32_t>(3 + i));
    }
  }

  Corpus view() const { return {tokens_, sentence_ends_, types_, targets_}; }

  Vocabulary vocabulary() const {
    std::vector<std::string> words{"<S>", "</S>", "<UNK>"};
    words.insert(words.end(), types_.begin(), types_.end());
    return Vocabulary(std::move(words));
  }

 private:
  std::vector<std::uint32_t> tokens_;
  std::vector<std::uint64_t> sentence_ends_;
  std::vector<std::string> types_;
  std::vector<std::int32_t> targets_;
};

/// The start of a trainer.
inline TrainedBilm make_start(const ModelOptions& model, const LittleCorpus& corpus,
                              std::uint64_t seed) {
  TrainedBilm start{model, Parameters(model),
                    SoftmaxLayer(corpus.vocabulary(), model.lstm.projection_dim)};
  initialize_parameters(start.parameters, model, seed);
  std::mt19937_64 engine(seed);
  for (float& value : start.softmax.weights.values) {
    value = static_cast<float>(engine() >> 40U) * 0x1p-24F - 0.5F;
  }
  return start;
}

/// The smallest model, with every option that changes a step.
inline TrainingOptions mixed(Optimizer optimizer) {
  TrainingOptions options;
  options.state = TrainingState::carry;
  options.lanes = 3;
  options.unroll = 5;
  options.samples = 20;
  options.dropout = 0.2F;
  options.optimizer = optimizer;
  options.weight_decay = 0.01F;
  options.learning_rate = 1e-2F;
  options.warmup_steps = 3;
  options.total_steps = 30;
  options.gradient_clip = 0.5F;
  options.seed = 9;
  options.threads = 2;
  return options;
}

inline Trainer make_trainer(const LittleCorpus& words, const Corpus& corpus,
                            const ModelOptions& model, const TrainingOptions& options,
                            std::uint64_t seed = 1) {
  return Trainer(make_start(model, words, seed), options, corpus);
}

/// Returns copies of all arrays of a trainer's state.
inline std::vector<AlignedVector<float>> copy_of(const std::vector<StateArray>& state) {
  std::vector<AlignedVector<float>> copy;
  for (const StateArray& array : state) {
    copy.emplace_back(array.values.begin(), array.values.end());
  }
  return copy;
}

inline std::vector<AlignedVector<float>> copy_of(const Parameters& parameters) {
  std::vector<AlignedVector<float>> copy;
  for (const Parameter& parameter : parameters.all()) copy.push_back(parameter.values);
  return copy;
}

inline bool same(const StepResult& a, const StepResult& b) {
  return a.step == b.step && a.tokens == b.tokens && a.loss[0] == b.loss[0] &&
         a.loss[1] == b.loss[1] && a.gradient_norm == b.gradient_norm &&
         a.learning_rate == b.learning_rate;
}

}  // namespace elmo
