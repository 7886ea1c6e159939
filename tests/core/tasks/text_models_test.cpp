// Models that label texts and pairs of texts, compared with plain references, and on tasks small
// enough to memorize.
#include <doctest/doctest.h>

#include <cmath>

#include "core/tasks/common/task_kind.h"
#include "core/train/optimizer.h"
#include "tests/core/tasks/little_texts.h"
#include "tests/core/tasks/reference_text.h"
#include "tests/core/tasks/slope.h"

namespace elmo {
namespace {

const std::vector<std::string> kTextLabels = {"first", "second", "third"};

std::unique_ptr<TaskModel> text_model(bool pairs, const TaskOptions& options,
                                      const WordVocabulary& words) {
  return (pairs ? pair_kind() : classify_kind()).make(options, words, kTextLabels);
}

LittleTexts little_batch(const TaskOptions& options, bool pairs) {
  LittleTexts texts(options.bilm);
  texts.add({0, 1, 2}, 2, pairs ? std::vector<int>{3} : std::vector<int>{});
  texts.add({4}, 0, pairs ? std::vector<int>{4, 1, 5, 6} : std::vector<int>{});
  texts.add({7, 7, 8, 9, 0}, 1, pairs ? std::vector<int>{8, 9} : std::vector<int>{});
  return texts;
}

// McCann et al. 2017, section 5.
ReferenceRow classify_reference(const TaskOptions& options, const ReferenceText& text,
                                const TaskText& example) {
  const ReferenceRows encoded =
      text.bilstms("encoder", options.layers, text.rectified("feed_forward", text.tokens(example)));
  const ReferenceRows compared =
      reference_comparison(encoded, reference_attention(encoded, encoded), false);
  const ReferenceRows output =
      text.with_output_elmo(text.bilstms("integrator", 1, compared), example);
  ReferenceRow row = reference_max_pool(output);
  for (const ReferenceRow& more :
       {reference_min_pool(output), reference_mean_pool(output),
        reference_self_attentive_pool(output, text.at("self_attentive_pool/W"))}) {
    row.insert(row.end(), more.begin(), more.end());
  }
  for (const char* name : {"maxout_1", "maxout_2", "maxout_3"}) {
    row = reference_maxout(text.linear(name, {row})[0], 4);
  }
  return row;
}

// Chen et al. 2017, section 3.
ReferenceRow pair_reference(const TaskOptions& options, const ReferenceText& text,
                            const TaskExample& example) {
  const auto encode = [&](const TaskText& one) {
    return text.with_output_elmo(text.bilstms("encoder", options.layers, text.tokens(one)), one);
  };
  const ReferenceRows a = encode(example.texts[0]);
  const ReferenceRows b = encode(example.texts[1]);
  ReferenceRow row;
  const auto compose = [&](const ReferenceRows& own, const ReferenceRows& other) {
    const ReferenceRows compared = reference_comparison(own, reference_attention(own, other), true);
    const ReferenceRows composed =
        text.bilstms("composition", 1, text.rectified("projection", compared));
    append(row, reference_mean_pool(composed));
    append(row, reference_max_pool(composed));
  };
  compose(a, b);
  compose(b, a);
  return text.linear("labels", text.rectified("hidden", {row}))[0];
}

double text_loss_reference(bool pairs, const TaskOptions& options, const ReferenceValues& values,
                           TaskBatch batch) {
  const ReferenceText text(options, values);
  double loss = 0.0;
  for (const TaskExample& example : batch) {
    const ReferenceRow logits = pairs ? pair_reference(options, text, example)
                                      : classify_reference(options, text, example.texts[0]);
    loss += reference_cross_entropy(
        logits, static_cast<std::size_t>(example.gold->as<LabelGold>().labels[0]));
  }
  return loss / static_cast<double>(batch.size()) + text.penalty();
}

TEST_CASE("loss of text models, and its gradient") {
  const WordVocabulary words = little_words();
  Workers workers(2);
  for (const bool pairs : {false, true}) {
    for (TaskOptions options : each_little_options()) {
      CAPTURE(pairs);
      CAPTURE(kElmoPlaces.word(options.elmo));
      CAPTURE(kMixKinds.word(options.mix.kind));
      if (options.elmo == ElmoPlace::both) options.layers = 2;
      const LittleTexts texts = little_batch(options, pairs);
      const std::vector<TaskExample> batch = texts.batch();
      const auto model = text_model(pairs, options, words);
      ReferenceValues values = randomize(model->parameters(), 1);
      PassOptions pass;
      pass.training = true;
      const double loss = model->train(batch, pass, workers);
      const auto reference = [&] { return text_loss_reference(pairs, options, values, batch); };
      CHECK(loss == doctest::Approx(reference()).epsilon(1e-5));
      check_gradients(model->parameters(), values, reference);
    }
  }
}

// With the same masks, the loss changes along the gradient as the gradient predicts.
TEST_CASE("dropout of text models matches their gradient") {
  const WordVocabulary words = little_words();
  for (const bool pairs : {false, true}) {
    CAPTURE(pairs);
    TaskOptions options = little_options(ElmoPlace::both);
    options.layers = 2;
    options.hidden = 16;
    options.dropout = 0.4F;
    options.mix.dropout = 0.3F;
    const LittleTexts texts = little_batch(options, pairs);
    const std::vector<TaskExample> batch = texts.batch();
    const auto model = text_model(pairs, options, words);
    model->initialize(5);
    check_slope(*model, batch);
  }
}

// The label says whether the words of the pair are the same, or whether w0 precedes w1 in a text.
LittleTexts memorable(const TaskOptions& options, bool pairs) {
  LittleTexts texts(options.bilm);
  if (pairs) {
    for (int n = 0; n < 24; ++n) {
      const std::vector<int> first{n % 5, (n * 3) % 7, n % 8};
      const bool same = n % 2 == 0;
      texts.add(first, same ? 1 : 0, same ? first : std::vector<int>{(n + 1) % 5, n % 3});
    }
  } else {
    for (int n = 2; n < 10; ++n) {
      texts.add({n, 0, n, 1}, 0);
      texts.add({n, 1, n, 0}, 1);
      texts.add({n, n, 0}, 2);
    }
  }
  return texts;
}

TEST_CASE("text models memorize a few texts, for any number of workers") {
  const WordVocabulary words = little_words();
  for (const bool pairs : {false, true}) {
    for (const ElmoPlace elmo : {ElmoPlace::none, ElmoPlace::both}) {
      CAPTURE(pairs);
      CAPTURE(static_cast<int>(elmo));
      TaskOptions options = little_options(elmo);
      options.hidden = 12;
      options.mix.lambda = 0.001F;
      const LittleTexts texts = memorable(options, pairs);
      const std::vector<TaskExample> batch = texts.batch();
      std::vector<double> losses;
      std::vector<PredictionPointer> predictions;
      for (const int count : {1, 2}) {
        Workers workers(count);
        const auto model = text_model(pairs, options, words);
        model->initialize(2);
        ParameterOptimizer optimizer({}, model->parameters());
        PassOptions pass;
        pass.training = true;
        double loss = 0.0;
        for (pass.step = 0; pass.step < 150; ++pass.step) {
          for (Parameter* parameter : model->parameters()) parameter->clear_gradient();
          loss = model->train(batch, pass, workers);
          optimizer.apply(pass.step, 0.01F, 1.0F, workers);
        }
        losses.push_back(loss);
        predictions = model->predict(batch, workers);
      }
      MESSAGE("loss " << losses[0]);
      CHECK(losses[0] < 0.05);
      CHECK(losses[0] == losses[1]);
      REQUIRE(predictions.size() == batch.size());
      for (std::size_t i = 0; i < batch.size(); ++i) {
        const auto& prediction = predictions[i]->as<LabelPrediction>();
        CHECK(prediction.labels == batch[i].gold->as<LabelGold>().labels);
        REQUIRE(prediction.scores.size() == 1);
        CHECK(prediction.scores[0] > 0.9F);
      }
    }
  }
}

TEST_CASE("predictions for a text do not depend on the other texts") {
  const WordVocabulary words = little_words();
  Workers workers(2);
  for (const bool pairs : {false, true}) {
    const TaskOptions options = little_options(ElmoPlace::both);
    const LittleTexts texts = little_batch(options, pairs);
    const std::vector<TaskExample> batch = texts.batch();
    const auto model = text_model(pairs, options, words);
    model->initialize(9);
    const auto together = model->predict(batch, workers);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const auto alone = model->predict(std::span(batch).subspan(i, 1), workers);
      const auto& one = alone[0]->as<LabelPrediction>();
      const auto& other = together[i]->as<LabelPrediction>();
      CHECK(one.labels == other.labels);
      CHECK(one.scores[0] == doctest::Approx(other.scores[0]).epsilon(1e-5));
    }
  }
}

}  // namespace
}  // namespace elmo
