// The model of the kind "tag".
#include <doctest/doctest.h>

#include "core/tasks/common/spans.h"
#include "core/tasks/common/task_kind.h"
#include "core/train/optimizer.h"
#include "tests/core/tasks/little_texts.h"
#include "tests/core/tasks/reference_text.h"

namespace elmo {
namespace {

const std::vector<std::string> kNames = {"O", "B-A", "I-A", "B-B"};

/// Sentences with a label for each word that IOB2 allows.
struct LabeledTexts {
  explicit LabeledTexts(const TaskOptions& options) : texts(options.bilm) {
    add({0, 1, 2}, {1, 2, 0});
    add({4}, {3});
    add({7, 7, 8, 9, 0}, {0, 1, 2, 2, 3});
  }

  void add(const std::vector<int>& words, std::vector<std::int32_t> labels) {
    texts.add({words}, std::make_shared<LabelGold>(std::move(labels)));
  }
  std::vector<TaskExample> batch() const { return texts.batch(); }

  LittleTexts texts;
};

double tagger_loss_reference(const TaskOptions& options, const ReferenceValues& values,
                             TaskBatch batch) {
  const LabelTransitions allowed = label_transitions(kNames);
  const ReferenceText text(options, values);
  const ReferenceCrf crf{text.at("crf/transitions"), text.at("crf/begin"), text.at("crf/end")};
  double loss = 0.0;
  for (const TaskExample& example : batch) {
    const ReferenceRows hidden =
        text.bilstms("bilstm", options.layers, text.tokens(example.texts[0]));
    const ReferenceRows emissions =
        text.linear("labels", text.with_output_elmo(hidden, example.texts[0]));
    const std::vector<std::int32_t>& labels = example.gold->as<LabelGold>().labels;
    loss +=
        crf.loss(emissions, {labels.begin(), labels.end()},
                 crf.sequences(emissions.size(), allowed.follows, allowed.begins, allowed.ends));
  }
  return loss / static_cast<double>(batch.size()) + text.penalty();
}

TEST_CASE("loss of a tagger, and its gradient") {
  const WordVocabulary words = little_words();
  Workers workers(2);
  for (TaskOptions options : each_little_options()) {
    CAPTURE(kElmoPlaces.word(options.elmo));
    CAPTURE(kMixKinds.word(options.mix.kind));
    if (options.elmo == ElmoPlace::both) options.layers = 2;
    if (options.elmo == ElmoPlace::output) options.character_filters = 0;
    const LabeledTexts texts(options);
    const std::vector<TaskExample> batch = texts.batch();
    const auto tagger = tag_kind().make(options, words, kNames);
    ReferenceValues values = randomize(tagger->parameters(), 1);
    PassOptions pass;
    pass.training = true;
    const double loss = tagger->train(batch, pass, workers);
    const auto reference = [&] { return tagger_loss_reference(options, values, batch); };
    CHECK(loss == doctest::Approx(reference()).epsilon(1e-5));
    check_gradients(tagger->parameters(), values, reference);
  }
}

TEST_CASE("word vectors that are not trained have no gradient") {
  const WordVocabulary words = little_words();
  Workers workers(1);
  for (const bool trained : {true, false}) {
    CAPTURE(trained);
    TaskOptions options = little_options(ElmoPlace::none);
    options.train_words = trained;
    const LabeledTexts texts(options);
    const auto tagger = tag_kind().make(options, words, kNames);
    tagger->initialize(3);
    for (Parameter* parameter : tagger->parameters()) parameter->clear_gradient();
    PassOptions pass;
    pass.training = true;
    tagger->train(texts.batch(), pass, workers);
    for (const Parameter* parameter : tagger->parameters()) {
      if (parameter->name == "words") CHECK((parameter->gradient_size() > 0) == trained);
    }
  }
}

// With the same masks, the loss changes along the gradient as the gradient predicts.
TEST_CASE("dropout of a tagger matches its gradient") {
  const WordVocabulary words = little_words();
  Workers workers(1);
  TaskOptions options = little_options(ElmoPlace::both);
  options.layers = 2;
  options.dropout = 0.25F;
  options.mix.dropout = 0.5F;
  const LabeledTexts texts(options);
  const std::vector<TaskExample> batch = texts.batch();
  const auto tagger = tag_kind().make(options, words, kNames);
  tagger->initialize(3);
  PassOptions pass;
  pass.training = true;
  pass.seed = 5;
  const auto loss = [&] {
    for (Parameter* parameter : tagger->parameters()) parameter->clear_gradient();
    return tagger->train(batch, pass, workers);
  };
  loss();
  std::vector<AlignedVector<float>> gradients;
  double square = 0.0;
  for (const Parameter* parameter : tagger->parameters()) {
    gradients.push_back(whole_gradient(*parameter));
    for (const float value : gradients.back()) square += double{value} * value;
  }
  const auto move = [&](float step) {
    const std::vector<Parameter*> parameters = tagger->parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      for (std::size_t j = 0; j < gradients[i].size(); ++j) {
        parameters[i]->values[j] += step * gradients[i][j];
      }
    }
  };
  constexpr float kStep = 1e-3F;
  move(kStep);
  const double above = loss();
  move(-2 * kStep);
  const double below = loss();
  CHECK((above - below) / (2 * kStep) == doctest::Approx(square).epsilon(2e-3));
  pass.step = 1;
  CHECK(loss() != below);
}

TEST_CASE("rare words are unknown half of the time, in training only") {
  WordVocabulary words;
  words.add(little_word(0), true);
  words.add(little_word(1), false);
  TaskOptions options = little_options(ElmoPlace::none);
  Workers workers(1);
  LittleTexts texts(options.bilm);
  texts.add(std::vector<int>(200, 0), 0);
  texts.add(std::vector<int>(200, 1), 0);
  std::vector<TaskText> views;
  for (const TaskExample& example : texts.batch()) views.push_back(example.texts[0]);
  TokenVectors vectors(options, words);
  vectors.initialize(1);
  const auto hidden = [&](bool training) {
    PassOptions pass;
    pass.training = training;
    Matrix rows;
    vectors.forward(views, pass, workers, rows);
    const float* unknown = nullptr;
    for (const Parameter* parameter : vectors.parameters()) {
      if (parameter->name == "words") unknown = parameter->values.data();
    }
    std::pair<int, int> counts;
    for (std::int64_t row = 0; row < rows.rows; ++row) {
      const float* word = rows.row(row) + options.character_filters;
      if (!std::equal(word, word + options.word_columns, unknown)) continue;
      ++(row < 200 ? counts.first : counts.second);
    }
    return counts;
  };
  CHECK(hidden(false) == std::pair(0, 0));
  CHECK(hidden(true).first > 60);
  CHECK(hidden(true).first < 140);
  CHECK(hidden(true).second == 0);
}

TEST_CASE("predictions are the most probable label sequence, for any batch") {
  const WordVocabulary words = little_words();
  Workers workers(2);
  const TaskOptions options = little_options(ElmoPlace::both);
  const LabeledTexts texts(options);
  const std::vector<TaskExample> batch = texts.batch();
  const auto tagger = tag_kind().make(options, words, kNames);
  tagger->initialize(1);
  const auto together = tagger->predict(batch, workers);
  REQUIRE(together.size() == 3);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const auto& other = together[i]->as<LabelPrediction>();
    CHECK(other.labels.size() == batch[i].texts[0].words.size());
    const auto alone = tagger->predict(std::span(batch).subspan(i, 1), workers);
    const auto& one = alone[0]->as<LabelPrediction>();
    CHECK(one.labels == other.labels);
    for (std::size_t t = 0; t < one.scores.size(); ++t) {
      CHECK(one.scores[t] == doctest::Approx(other.scores[t]).epsilon(1e-4));
    }
  }
}

}  // namespace
}  // namespace elmo
