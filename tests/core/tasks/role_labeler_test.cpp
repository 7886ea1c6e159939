#include "core/tasks/role_labeler.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "core/tasks/common/spans.h"
#include "core/tasks/common/task_learner.h"
#include "core/tasks/role_scores.h"
#include "tests/core/tasks/little_texts.h"
#include "tests/core/tasks/reference_text.h"

namespace elmo {
namespace {

const std::vector<std::string> kRoles = {"O", "B-V", "B-A", "I-A", "B-B"};

std::shared_ptr<FrameGold> frames(std::vector<std::int32_t> predicates,
                                  std::vector<std::int32_t> labels) {
  return std::make_shared<FrameGold>(std::move(predicates), std::move(labels));
}

/// Three sentences, with two frames, no frame and one frame.
LittleTexts framed_texts(const TaskOptions& options) {
  LittleTexts texts(options.bilm);
  texts.add({{0, 1, 2}}, frames({1, 2}, {2, 1, 0, 2, 3, 1}));
  texts.add({{4, 9}}, frames({}, {}));
  texts.add({{7, 7, 8, 9}}, frames({0}, {1, 4, 2, 3}));
  return texts;
}

double role_loss_reference(const TaskOptions& options, const ReferenceValues& values,
                           TaskBatch batch) {
  const ReferenceText text(options, values);
  const auto label_of = [](std::int32_t label) { return static_cast<std::size_t>(label); };
  double roles = 0.0;
  double predicates = 0.0;
  std::size_t framed = 0;
  std::size_t tokens = 0;
  for (const TaskExample& example : batch) {
    const ReferenceRows rows = text.tokens(example.texts[0]);
    const auto& gold = example.gold->as<FrameGold>();
    const ReferenceRows finder = text.linear("predicates", text.bilstm("predicates/lstm", rows));
    for (std::size_t t = 0; t < rows.size(); ++t) {
      const bool is_predicate = std::ranges::count(gold.predicates, static_cast<int>(t)) > 0;
      predicates += reference_cross_entropy(finder[t], is_predicate ? 1 : 0);
    }
    tokens += rows.size();
    for (std::size_t frame = 0; frame < gold.predicates.size(); ++frame) {
      ReferenceRows layer;
      for (std::size_t t = 0; t < rows.size(); ++t) {
        ReferenceRow row = rows[t];
        const auto from = text.at("frame/indicator").begin() +
                          (static_cast<int>(t) == gold.predicates[frame] ? 100 : 0);
        row.insert(row.end(), from, from + 100);
        layer.push_back(row);
      }
      const auto cells = static_cast<std::size_t>(options.hidden);
      const ReferenceRow none(6 * cells, 0.0);
      for (std::int64_t number = 1; number <= options.layers; ++number) {
        const std::string name = "lstm_" + std::to_string(number);
        const ReferenceRows sums =
            reference_linear(layer, text.at(number == 1 ? "frame/W" : name + "/W_x"), none);
        layer = reference_highway_lstm(sums, text.at(name + "/W_h"), text.at(name + "/b"),
                                       ReferenceRow(cells, 1.0), number % 2 == 0);
      }
      const ReferenceRows emissions =
          text.linear("labels", text.with_output_elmo(layer, example.texts[0]));
      for (std::size_t t = 0; t < rows.size(); ++t) {
        roles +=
            reference_cross_entropy(emissions[t], label_of(gold.labels[frame * rows.size() + t]));
      }
      framed += rows.size();
    }
  }
  return roles / static_cast<double>(framed) + predicates / static_cast<double>(tokens) +
         text.penalty();
}

/// A verb follows its A and precedes its B. B has two words if it begins with w9. The labels depend
/// on which verb is the predicate.
struct LearnableFrames {
  explicit LearnableFrames(int sentences) {
    std::mt19937 engine(7);
    const auto word = [&engine](int least, int most) {
      return least + static_cast<int>(engine() % static_cast<unsigned>(most - least + 1));
    };
    for (int n = 0; n < sentences; ++n) {
      CorpusText& text = texts.emplace_back();
      TaskRecord& record = records.emplace_back();
      record.texts = {texts.size() - 1};
      std::vector<int> words;
      std::vector<std::int32_t> predicates;
      std::vector<std::int32_t> all_tags;
      for (int clause = 0; clause < 1 + n % 2; ++clause) {
        words.push_back(word(3, 8));
        predicates.push_back(static_cast<std::int32_t>(words.size()));
        words.push_back(word(0, 2));
        words.push_back(word(8, 9));
        if (words.back() == 9) words.push_back(word(3, 9));
      }
      for (const std::int32_t predicate : predicates) {
        std::vector<std::int32_t> tags(words.size(), 0);
        const auto at = static_cast<std::size_t>(predicate);
        tags[at - 1] = 2;
        tags[at] = 1;
        tags[at + 1] = 4;
        if (words[at + 1] == 9) tags[at + 2] = 5;
        all_tags.insert(all_tags.end(), tags.begin(), tags.end());
      }
      record.gold = frames(std::move(predicates), std::move(all_tags));
      for (const int number : words) {
        text.sentence.add(little_word(number), {});
        text.words.push_back(number + 1);
      }
    }
  }

  std::vector<std::string> labels = {"O", "B-V", "B-A", "I-A", "B-B", "I-B"};
  std::vector<CorpusText> texts;
  std::vector<TaskRecord> records;
};

TEST_CASE("loss of a role labeler, and its gradient") {
  const WordVocabulary words = little_words();
  Workers workers(2);
  for (TaskOptions options : each_little_options()) {
    CAPTURE(kElmoPlaces.word(options.elmo));
    CAPTURE(kMixKinds.word(options.mix.kind));
    options.layers = options.elmo == ElmoPlace::both ? 3 : 1;
    const LittleTexts texts = framed_texts(options);
    const std::vector<TaskExample> batch = texts.batch();
    RoleLabeler labeler(options, words, kRoles);
    ReferenceValues values = randomize(labeler.parameters(), 1);
    const double loss = labeler.train(batch, {.training = true}, workers);
    const auto reference = [&] { return role_loss_reference(options, values, batch); };
    CHECK(loss == doctest::Approx(reference()).epsilon(1e-5));
    check_gradients(labeler.parameters(), values, reference);
  }
}

TEST_CASE("sentences without frames train the head that finds predicates") {
  const WordVocabulary words = little_words();
  Workers workers(1);
  const TaskOptions options = little_options(ElmoPlace::none);
  LittleTexts texts(options.bilm);
  texts.add({{0, 1, 2}}, frames({}, {}));
  RoleLabeler labeler(options, words, kRoles);
  randomize(labeler.parameters(), 1);
  CHECK(labeler.train(texts.batch(), {.training = true}, workers) > 0.0);
  for (const Parameter* parameter : labeler.parameters()) {
    CAPTURE(parameter->name);
    const bool finds = parameter->name.starts_with("predicates");
    const bool frames = parameter->name.starts_with("lstm") || parameter->name.starts_with("frame");
    const bool moves = std::ranges::any_of(parameter->gradient, [](float g) { return g != 0.0F; });
    if (finds) CHECK(moves);
    if (frames) CHECK(!moves);
  }
}

TEST_CASE("predicted roles are valid BIO and do not depend on the batch") {
  const WordVocabulary words = little_words();
  Workers workers(2);
  TaskOptions options = little_options(ElmoPlace::both);
  options.layers = 2;
  LittleTexts texts = framed_texts(options);
  texts.add({{5, 6, 7, 8, 9, 0}}, nullptr);
  const std::vector<TaskExample> batch = texts.batch();
  for (const unsigned seed : {1U, 2U, 3U, 4U}) {
    RoleLabeler labeler(options, words, kRoles);
    randomize(labeler.parameters(), seed, 1.0F);
    const auto together = labeler.predict(batch, workers);
    REQUIRE(together.size() == batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const auto& prediction = together[i]->as<FramePrediction>();
      const std::size_t frames = prediction.predicates.size();
      if (i < 3) CHECK(prediction.predicates == batch[i].gold->as<FrameGold>().predicates);
      const std::size_t tokens = batch[i].texts[0].words.size();
      CHECK(prediction.labels.size() == frames * tokens);
      CHECK(prediction.scores.size() == prediction.labels.size());
      for (std::size_t at = 0; at < prediction.labels.size(); ++at) {
        const auto name = [&](std::size_t label) {
          return kRoles[static_cast<std::size_t>(prediction.labels[label])];
        };
        CHECK(may_follow(SpanScheme::iob2, at % tokens == 0 ? "" : name(at - 1), name(at)));
        CHECK(prediction.scores[at] > 0.0F);
        CHECK(prediction.scores[at] <= 1.0F);
      }
      const auto alone = labeler.predict(std::span(batch).subspan(i, 1), workers);
      const auto& one = alone[0]->as<FramePrediction>();
      CHECK(one.labels == prediction.labels);
      CHECK(one.predicates == prediction.predicates);
      for (std::size_t at = 0; at < one.scores.size(); ++at) {
        CHECK(one.scores[at] == doctest::Approx(prediction.scores[at]).epsilon(1e-4));
      }
    }
    CHECK(together[1]->as<FramePrediction>().labels.empty());
  }
}

TEST_CASE("a role labeler memorizes sentences and finds their predicates") {
  const WordVocabulary words = little_words();
  const LearnableFrames learnable(20);
  const LabelSet labels(learnable.labels);
  TaskOptions options = little_options(ElmoPlace::none);
  options.word_columns = 8;
  options.hidden = 16;
  options.layers = 2;
  options.dropout = 0.1F;
  TaskPlan plan;
  plan.batch = 5;
  plan.rate = 0.02F;
  std::vector<std::vector<AlignedVector<float>>> weights;
  for (const int count : {1, 2, 3}) {
    CAPTURE(count);
    Workers workers(count);
    TaskCorpus corpus(learnable.texts, learnable.records, nullptr);
    RoleLabeler labeler(options, words, learnable.labels);
    labeler.initialize(1);
    TaskTrainer trainer(labeler, corpus, plan, workers);
    const std::uint64_t steps = count == 1 ? 200 : 6;
    for (std::uint64_t step = 0; step < steps; ++step) {
      trainer.step(step, plan.rate);
      if (step != 5) continue;
      std::vector<AlignedVector<float>>& kept = weights.emplace_back();
      for (const Parameter* parameter : labeler.parameters()) kept.push_back(parameter->values);
    }
    if (count > 1) continue;
    std::vector<std::uint64_t> all(corpus.size());
    std::iota(all.begin(), all.end(), 0);
    auto predictions = labeler.predict(corpus.load(all), workers);
    RoleScores scores(labels);
    for (std::size_t i = 0; i < all.size(); ++i) scores.add(corpus[i], *predictions[i]);
    CHECK(scores.score() >= 99.0);
    // The same without the predicates.
    std::vector<TaskRecord> plain = learnable.records;
    for (TaskRecord& record : plain) record.gold = nullptr;
    TaskCorpus text(learnable.texts, plain, nullptr);
    predictions = labeler.predict(text.load(all), workers);
    for (std::size_t i = 0; i < all.size(); ++i) {
      CHECK(predictions[i]->as<FramePrediction>().predicates ==
            corpus[i].gold->as<FrameGold>().predicates);
    }
  }
  CHECK(weights[0] == weights[1]);
  CHECK(weights[0] == weights[2]);
}

}  // namespace
}  // namespace elmo
