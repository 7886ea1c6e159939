// Texts for tests of task models: few, with few words and made-up activations.
#pragma once

#include <cstddef>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "core/tasks/common/task_model.h"
#include "core/tasks/common/task_options.h"
#include "core/tasks/common/token_vectors.h"

namespace elmo {

inline std::string little_word(int number) {
  return std::string(1, 'w').append(std::to_string(number));
}

/// Words "w0" to "w9", none of them rare. Word n has row n + 1.
inline WordVocabulary little_words() {
  WordVocabulary words;
  for (int n = 0; n < 10; ++n) words.add(little_word(n), false);
  return words;
}

/// Options of a small model without dropout.
inline TaskOptions little_options(ElmoPlace elmo) {
  TaskOptions options;
  options.elmo = elmo;
  options.mix.lambda = 0.125F;
  options.bilm = {1, 2};
  options.word_columns = 3;
  options.character_columns = 2;
  options.character_filters = 2;
  options.character_width = 2;
  options.hidden = 2;
  options.dropout = 0.0F;
  return options;
}

/// Options for each way in which the layers can enter: each place of a mix, and side by side.
inline std::vector<TaskOptions> each_little_options() {
  std::vector<TaskOptions> each;
  for (const auto& [name, place] : kElmoPlaces) each.push_back(little_options(place));
  each.push_back(little_options(ElmoPlace::both));
  each.back().mix.kind = MixKind::concat;
  return each;
}

/// Owns everything that a batch of examples refers to.
class LittleTexts {
 public:
  explicit LittleTexts(const BilmShape& shape) : shape_(shape) {}

  /// Adds a text, or a pair if `second` is given; words are numbers. Activations are random.
  void add(const std::vector<int>& text, std::int32_t label, const std::vector<int>& second = {}) {
    std::vector<std::vector<int>> texts = {text};
    if (!second.empty()) texts.push_back(second);
    add(texts, std::make_shared<LabelGold>(std::vector{label}));
  }

  /// Adds an example of any kind. Activations are random.
  void add(const std::vector<std::vector<int>>& texts, std::shared_ptr<const TaskGold> gold) {
    Example& example = examples_.emplace_back();
    for (const std::vector<int>& text : texts) example.texts.push_back(keep(text));
    for (const Text& text : example.texts) example.views.push_back(view(text));
    example.gold = std::move(gold);
  }

  std::vector<TaskExample> batch() const {
    std::vector<TaskExample> batch;
    for (const Example& example : examples_) {
      batch.push_back({example.views, example.gold.get()});
    }
    return batch;
  }

 private:
  struct Text {
    Sentence sentence;
    std::vector<std::int32_t> words;
    std::vector<float> activations;
  };
  struct Example {
    std::vector<Text> texts;
    std::vector<TaskText> views;
    std::shared_ptr<const TaskGold> gold;
  };

  static TaskText view(const Text& text) { return {&text.sentence, text.words, text.activations}; }

  Text keep(const std::vector<int>& words) {
    Text text;
    for (const int word : words) {
      text.sentence.add(little_word(word), {});
      text.words.push_back(word + 1);
    }
    std::normal_distribution<float> normal;
    text.activations.resize(words.size() *
                            static_cast<std::size_t>(shape_.rows() * shape_.projection));
    for (float& value : text.activations) value = normal(engine_);
    return text;
  }

  BilmShape shape_;
  std::mt19937 engine_{11};
  std::deque<Example> examples_;  // a deque, because elements must not move
};

}  // namespace elmo
