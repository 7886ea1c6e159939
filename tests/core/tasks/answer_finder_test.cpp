// The answer finder, compared with a plain reference, on examples few enough to memorize, and its
// scores.
#include "core/tasks/answer_finder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/train/optimizer.h"
#include "tests/core/tasks/little_texts.h"
#include "tests/core/tasks/reference_text.h"
#include "tests/core/tasks/slope.h"
#include "tests/reference/question_layers.h"

namespace elmo {
namespace {

using Texts = std::vector<std::vector<int>>;

std::shared_ptr<AskedQuestion> asked(std::vector<std::int32_t> windows,
                                     std::vector<AnswerSpan> spans) {
  auto question =
      std::make_shared<AskedQuestion>("q", nullptr, std::vector<std::string>(), nullptr);
  question->window_begins = std::move(windows);
  question->spans = std::move(spans);
  return question;
}

// Three questions: one whose answer occurs twice, one with an answer of a single token, and one
// with a context in three windows, of which only the first two contain the answer or a part of it.
LittleTexts little_questions(const TaskOptions& options) {
  LittleTexts texts(options.bilm);
  texts.add(Texts{{0, 1}, {2, 3, 4, 2, 3, 5}}, asked({0}, {{0, 1}, {3, 4}}));
  texts.add(Texts{{6}, {7}}, asked({0}, {{0, 0}}));
  texts.add(Texts{{8, 9, 1}, {1, 2, 3, 4}, {3, 4, 5, 6}, {5, 6, 7}}, asked({0, 2, 4}, {{1, 3}}));
  return texts;
}

// Computes [p; self-attention …] and the layers after it: scores of starts and ends in one window.
void score_window(const TaskOptions& options, const ReferenceText& text,
                  const ReferenceRows& question, const TaskText& window, ReferenceRow& starts,
                  ReferenceRow& ends) {
  const auto shared = [&](const TaskText& one) {
    return text.with_output_elmo(text.bilstms("encoder", options.layers, text.tokens(one)), one);
  };
  const ReferenceTrilinear similarity{text.at("attention/w1"), text.at("attention/w2"),
                                      text.at("attention/w3")};
  const ReferenceRows projected = text.rectified(
      "projection", reference_bidirectional_attention(similarity, shared(window), question));
  const ReferenceTrilinear own{{}, text.at("self_attention/w2"), text.at("self_attention/w3")};
  ReferenceRows summed = text.rectified(
      "self_projection", reference_self_attention(own, text.bilstms("modeling", 1, projected)));
  for (std::size_t t = 0; t < summed.size(); ++t) {
    for (std::size_t c = 0; c < summed[t].size(); ++c) summed[t][c] += projected[t][c];
  }
  const ReferenceRows start_rows = text.bilstms("start", 1, summed);
  ReferenceText::join(summed, start_rows);
  for (const ReferenceRow& row : text.linear("start_scores", start_rows)) starts.push_back(row[0]);
  for (const ReferenceRow& row : text.linear("end_scores", text.bilstms("end", 1, summed))) {
    ends.push_back(row[0]);
  }
}

double question_loss_reference(const TaskOptions& options, const ReferenceValues& values,
                               TaskBatch batch) {
  const ReferenceText text(options, values);
  double loss = 0.0;
  for (const TaskExample& example : batch) {
    const ReferenceRows question = text.with_output_elmo(
        text.bilstms("encoder", options.layers, text.tokens(example.texts[0])), example.texts[0]);
    ReferenceRow starts;
    ReferenceRow ends;
    std::vector<std::size_t> right_starts;
    std::vector<std::size_t> right_ends;
    for (std::size_t w = 1; w < example.texts.size(); ++w) {
      const auto& question_asked = example.gold->as<AskedQuestion>();
      const std::int32_t origin = question_asked.window_begins[w - 1];
      for (std::size_t t = 0; t < example.texts[w].words.size(); ++t) {
        const std::int32_t token = origin + static_cast<std::int32_t>(t);
        const auto has = [&](std::int32_t AnswerSpan::*edge) {
          return std::ranges::count(question_asked.spans, token, edge) > 0;
        };
        if (has(&AnswerSpan::first)) right_starts.push_back(starts.size() + t);
        if (has(&AnswerSpan::last)) right_ends.push_back(ends.size() + t);
      }
      score_window(options, text, question, example.texts[w], starts, ends);
    }
    loss += reference_summed_cross_entropy(starts, right_starts) +
            reference_summed_cross_entropy(ends, right_ends);
  }
  return loss / static_cast<double>(batch.size()) + text.penalty();
}

TEST_CASE("loss of answers, and its gradient") {
  const WordVocabulary words = little_words();
  Workers workers(2);
  for (TaskOptions options : each_little_options()) {
    CAPTURE(kElmoPlaces.word(options.elmo));
    CAPTURE(kMixKinds.word(options.mix.kind));
    if (options.elmo == ElmoPlace::both) options.layers = 2;
    const LittleTexts texts = little_questions(options);
    const std::vector<TaskExample> batch = texts.batch();
    AnswerFinder model(options, words);
    ReferenceValues values = randomize(model.parameters(), 1);
    PassOptions pass;
    pass.training = true;
    const double loss = model.train(batch, pass, workers);
    const auto reference = [&] { return question_loss_reference(options, values, batch); };
    CHECK(loss == doctest::Approx(reference()).epsilon(1e-5));
    check_gradients(model.parameters(), values, reference);
  }
}

// With the same masks, the loss changes along the gradient as the gradient predicts.
TEST_CASE("dropout of the answer model matches its gradient") {
  const WordVocabulary words = little_words();
  TaskOptions options = little_options(ElmoPlace::both);
  options.layers = 2;
  options.hidden = 16;
  options.dropout = 0.4F;
  options.mix.dropout = 0.3F;
  const LittleTexts texts = little_questions(options);
  const std::vector<TaskExample> batch = texts.batch();
  AnswerFinder model(options, words);
  model.initialize(5);
  check_slope(model, batch);
}

// The answer lies between the word of the question and w9.
LittleTexts memorable_questions(const TaskOptions& options) {
  LittleTexts texts(options.bilm);
  for (int n = 0; n < 20; ++n) {
    const int key_asked = n % 4;
    std::vector<int> context;
    for (int i = 0; i < 4; ++i) {
      const int key = (n + i) % 4;
      context.push_back(key);
      context.push_back(4 + (n * 3 + i) % 5);
      if ((n + i) % 2 == 0) context.push_back(4 + (n + 2 * i) % 5);
      context.push_back(9);
    }
    const auto first =
        static_cast<std::int32_t>(std::ranges::find(context, key_asked) - context.begin() + 1);
    const auto behind = static_cast<std::int32_t>(
        std::find(context.begin() + first, context.end(), 9) - context.begin());
    if (n % 5 == 0) {  // in two windows
      const std::vector<int> left(context.begin(), context.begin() + 8);
      const std::vector<int> right(context.begin() + 4, context.end());
      texts.add(Texts{{key_asked, 9}, left, right}, asked({0, 4}, {{first, behind - 1}}));
    } else {
      texts.add(Texts{{key_asked, 9}, context}, asked({0}, {{first, behind - 1}}));
    }
  }
  return texts;
}

// Trains this many steps and returns the last loss.
double train_steps(AnswerFinder& model, TaskBatch batch, std::uint64_t steps, Workers& workers) {
  model.initialize(2);
  ParameterOptimizer optimizer({}, model.parameters());
  PassOptions pass;
  pass.training = true;
  double loss = 0.0;
  for (pass.step = 0; pass.step < steps; ++pass.step) {
    for (Parameter* parameter : model.parameters()) parameter->clear_gradient();
    loss = model.train(batch, pass, workers);
    optimizer.apply(pass.step, 0.01F, 1.0F, workers);
  }
  return loss;
}

TaskOptions memorizing_options(ElmoPlace elmo) {
  TaskOptions options = little_options(elmo);
  options.hidden = 12;
  options.word_columns = 8;
  options.mix.lambda = 0.001F;
  return options;
}

TEST_CASE("an answer model memorizes answers") {
  const WordVocabulary words = little_words();
  Workers workers(1);
  for (const ElmoPlace elmo : {ElmoPlace::none, ElmoPlace::both}) {
    CAPTURE(static_cast<int>(elmo));
    const TaskOptions options = memorizing_options(elmo);
    const LittleTexts texts = memorable_questions(options);
    const std::vector<TaskExample> batch = texts.batch();
    AnswerFinder model(options, words);
    const double loss = train_steps(model, batch, 150, workers);
    MESSAGE("loss " << loss);
    CHECK(loss < 0.05);
    const auto predictions = model.predict(batch, workers);
    REQUIRE(predictions.size() == batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      CAPTURE(i);
      const auto& found = predictions[i]->as<AnswerPrediction>();
      CHECK(found.span == batch[i].gold->as<AskedQuestion>().spans.at(0));
      CHECK(found.probability > 0.9F);
    }
  }
}

TEST_CASE("an answer model is trained to the same bits by any number of workers") {
  const WordVocabulary words = little_words();
  TaskOptions options = memorizing_options(ElmoPlace::both);
  options.dropout = 0.2F;
  const LittleTexts texts = memorable_questions(options);
  const std::vector<TaskExample> batch = texts.batch();
  std::vector<std::vector<AlignedVector<float>>> trained;
  for (const int count : {1, 2, 3}) {
    Workers workers(count);
    AnswerFinder model(options, words);
    train_steps(model, batch, 8, workers);
    auto& values = trained.emplace_back();
    for (const Parameter* parameter : model.parameters()) values.push_back(parameter->values);
  }
  CHECK(trained[0] == trained[1]);
  CHECK(trained[0] == trained[2]);
}

TEST_CASE("an answer does not depend on other questions") {
  const WordVocabulary words = little_words();
  Workers workers(2);
  const TaskOptions options = little_options(ElmoPlace::both);
  const LittleTexts texts = little_questions(options);
  const std::vector<TaskExample> batch = texts.batch();
  AnswerFinder model(options, words);
  model.initialize(9);
  const auto together = model.predict(batch, workers);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const auto alone = model.predict(std::span(batch).subspan(i, 1), workers);
    const auto& one = alone[0]->as<AnswerPrediction>();
    const auto& other = together[i]->as<AnswerPrediction>();
    CHECK(one.span == other.span);
    CHECK(one.probability == doctest::Approx(other.probability).epsilon(1e-5));
  }
}

TEST_CASE("no answer is longer than allowed, and its probability is the product of its edges'") {
  const WordVocabulary words = little_words();
  Workers workers(1);
  const TaskOptions options = little_options(ElmoPlace::none);
  LittleTexts texts(options.bilm);
  std::vector<int> context;
  for (int n = 0; n < 40; ++n) context.push_back(n % 10);
  texts.add(Texts{{1}, context}, asked({0}, {}));
  texts.add(Texts{{1}, {4}}, asked({0}, {}));
  const std::vector<TaskExample> batch = texts.batch();
  for (unsigned seed = 1; seed < 8; ++seed) {
    AnswerFinder model(options, words);
    randomize(model.parameters(), seed);
    const auto predictions = model.predict(batch, workers);
    const auto& first = predictions[0]->as<AnswerPrediction>();
    const auto& second = predictions[1]->as<AnswerPrediction>();
    CHECK(first.span.first <= first.span.last);
    CHECK(first.span.last - first.span.first < static_cast<std::int32_t>(kMaxAnswerTokens));
    CHECK(first.probability > 1.0F / (40 * 40));
    CHECK(first.probability < 1.0F);
    CHECK(second.span == AnswerSpan{0, 0});
    CHECK(second.probability == 1.0F);
  }
}

// If each token of a span is in one window only, the loss is −log of the span's probability.
TEST_CASE("the answer in a very long context is the best of all windows") {
  const WordVocabulary words = little_words();
  Workers workers(2);
  const TaskOptions options = little_options(ElmoPlace::none);
  constexpr int kWindows = 37;  // more than one prediction takes at once
  Texts all = {{1, 2}};
  std::vector<std::int32_t> windows;
  for (int n = 0; n < kWindows; ++n) {
    all.push_back({n % 10, (n * 7) % 10, (n * 3) % 10});
    windows.push_back(3 * n);
  }
  LittleTexts texts(options.bilm);
  texts.add(Texts{{3}, {4, 5}}, asked({0}, {}));
  texts.add(all, asked(windows, {}));
  std::vector<TaskExample> batch = texts.batch();
  AnswerFinder model(options, words);
  randomize(model.parameters(), 3, 1.0F);
  const auto predictions = model.predict(batch, workers);
  const std::vector kept{batch[0].gold, batch[1].gold};
  const auto probability = [&](std::size_t e, const AnswerSpan& span) {
    const auto gold = asked(batch[e].gold->as<AskedQuestion>().window_begins, {span});
    batch[e].gold = gold.get();
    const double log = model.train(std::span(batch).subspan(e, 1), {}, workers);
    batch[e].gold = kept[e];
    return std::exp(-log);
  };
  for (std::size_t e = 0; e < batch.size(); ++e) {
    CAPTURE(e);
    const auto& found = predictions[e]->as<AnswerPrediction>();
    const double best = found.probability;
    CHECK(best == doctest::Approx(probability(e, found.span)).epsilon(1e-4));
    for (std::int32_t n = 0; n < (e == 0 ? 1 : kWindows); ++n) {
      for (const AnswerSpan& span : {AnswerSpan{3 * n, 3 * n}, AnswerSpan{3 * n, 3 * n + 1},
                                     AnswerSpan{3 * n + 1, 3 * n + 1}}) {
        CHECK(probability(e, span) < best * (1.0 + 1e-4));
      }
    }
  }
}

}  // namespace
}  // namespace elmo
