#include "core/train/bilm/trainer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "tests/core/train/little_training.h"

namespace elmo {
namespace {

ModelOptions memory_model() {
  ModelOptions model = small_options();
  model.lstm.dim = 64;
  model.lstm.projection_dim = 32;
  model.lstm.cell_clip = 3.0F;
  model.lstm.proj_clip = 3.0F;
  model.char_cnn->embedding_dim = 8;
  model.char_cnn->filters = {{1, 16}, {2, 16}, {3, 32}};
  model.char_cnn->max_characters_per_token = 12;
  return model;
}

/// Every batch has each sentence once.
TrainingOptions whole_corpus() {
  TrainingOptions options;
  options.lanes = kSentences;
  options.unroll = kWords + 1;
  options.samples = 1000;  // all
  options.dropout = 0.0F;
  options.learning_rate = 1e-2F;
  options.decay = Decay::none;
  options.threads = 2;
  return options;
}

TEST_CASE("sentences are memorized, except which one comes next") {
  // Each sentence is equally likely, which is all that a model can learn.
  const double least = std::log(static_cast<double>(kSentences)) / (kWords + 1);
  const LittleCorpus words;
  const Corpus corpus = words.view();
  for (const Optimizer optimizer : {Optimizer::adam, Optimizer::adagrad}) {
    CAPTURE(optimizer == Optimizer::adam);
    TrainingOptions options = whole_corpus();
    options.optimizer = optimizer;
    if (optimizer == Optimizer::adagrad) {
      options.learning_rate = 0.2F;
      options.initial_accumulator = 0.1F;
    }
    Trainer trainer = make_trainer(words, corpus, memory_model(), options);
    StepResult result;
    for (int step = 0; step < 400; ++step) result = trainer.step();
    MESSAGE("losses " << result.loss[0] << " and " << result.loss[1] << ", least " << least);
    CHECK(result.loss[0] > least - 1e-4);
    CHECK(result.loss[1] > least - 1e-4);
    CHECK(std::exp(result.loss[0] - least) < 1.02);
    CHECK(std::exp(result.loss[1] - least) < 1.02);
  }
}

TEST_CASE("with carried state, the order of the sentences is memorized too") {
  const LittleCorpus words;
  const Corpus corpus = words.view();
  TrainingOptions options = whole_corpus();
  options.state = TrainingState::carry;
  options.lanes = 4;
  options.unroll = 15;  // not a multiple of a sentence's steps
  Trainer trainer = make_trainer(words, corpus, memory_model(), options);
  double loss[2] = {0.0, 0.0};
  constexpr int kSteps = 600;
  constexpr int kLast = 20;
  for (int step = 0; step < kSteps; ++step) {
    const StepResult result = trainer.step();
    if (step < kSteps - kLast) continue;
    loss[0] += result.loss[0] / kLast;
    loss[1] += result.loss[1] / kLast;
  }
  MESSAGE("perplexities " << std::exp(loss[0]) << " and " << std::exp(loss[1]));
  CHECK(std::exp(loss[0]) < 1.1);
  CHECK(std::exp(loss[1]) < 1.1);
}

TEST_CASE("frozen steps train only the softmax") {
  const LittleCorpus words;
  const Corpus corpus = words.view();
  TrainingOptions options = mixed(Optimizer::adam);
  options.frozen_steps = 3;
  Trainer trainer = make_trainer(words, corpus, small_options(), options);
  const std::vector<AlignedVector<float>> before = copy_of(trainer.model().parameters);
  for (int step = 0; step < 3; ++step) {
    const AlignedVector<float> softmax = trainer.model().softmax.weights.values;
    trainer.step();
    CHECK(copy_of(trainer.model().parameters) == before);
    CHECK(trainer.model().softmax.weights.values != softmax);
  }
  trainer.step();
  const std::vector<AlignedVector<float>> after = copy_of(trainer.model().parameters);
  for (std::size_t i = 0; i < before.size(); ++i) {
    CAPTURE(trainer.model().parameters.all()[i].name);
    CHECK(after[i] != before[i]);
  }
}

TEST_CASE("the first step after frozen ones is no longer than Adam's first") {
  const LittleCorpus words;
  const Corpus corpus = words.view();
  TrainingOptions options = whole_corpus();
  options.frozen_steps = 20;
  Trainer trainer = make_trainer(words, corpus, small_options(), options);
  for (std::uint64_t step = 0; step < options.frozen_steps; ++step) trainer.step();
  const std::vector<AlignedVector<float>> before = copy_of(trainer.model().parameters);
  trainer.step();
  const std::vector<AlignedVector<float>> after = copy_of(trainer.model().parameters);
  float longest = 0.0F;
  for (std::size_t i = 0; i < before.size(); ++i) {
    for (std::size_t k = 0; k < before[i].size(); ++k) {
      longest = std::max(longest, std::fabs(after[i][k] - before[i][k]));
    }
  }
  CHECK(longest < 1.001F * options.learning_rate);
  CHECK(longest > 0.9F * options.learning_rate);
}

TEST_CASE("a restored trainer continues as if it had never stopped") {
  const LittleCorpus words;
  const Corpus corpus = words.view();
  for (const Optimizer optimizer : {Optimizer::adam, Optimizer::adagrad}) {
    CAPTURE(optimizer == Optimizer::adam);
    const TrainingOptions options = mixed(optimizer);
    Trainer first = make_trainer(words, corpus, small_options(), options);
    for (int step = 0; step < 7; ++step) first.step();
    const std::vector<AlignedVector<float>> saved = copy_of(first.state());
    const TrainerCounters counters = first.counters();
    CHECK(counters.step == 7);

    Trainer second = make_trainer(words, corpus, small_options(), options, 2);
    for (int step = 0; step < 2; ++step) second.step();
    const std::vector<StateArray> state = second.state();
    REQUIRE(state.size() == saved.size());
    for (std::size_t i = 0; i < saved.size(); ++i) {
      REQUIRE(state[i].values.size() == saved[i].size());
      std::copy(saved[i].begin(), saved[i].end(), state[i].values.begin());
    }
    second.restore(counters);
    for (int step = 0; step < 10; ++step) {
      const StepResult expected = first.step();
      CHECK(same(second.step(), expected));
    }
    CHECK(copy_of(second.state()) == copy_of(first.state()));
    CHECK(second.counters().positions == first.counters().positions);
    CHECK(second.counters().step == first.counters().step);
    CHECK(second.counters().tokens == first.counters().tokens);
  }
}

TEST_CASE("the arrays of a trainer's state have unique names and the size of their shapes") {
  const LittleCorpus words;
  const Corpus corpus = words.view();
  Trainer trainer = make_trainer(words, corpus, small_options(), mixed(Optimizer::adam));
  std::vector<std::string> names;
  for (const StateArray& array : trainer.state()) {
    CAPTURE(array.name);
    std::int64_t size = 1;
    for (const std::int64_t extent : array.shape) size *= extent;
    CHECK(static_cast<std::size_t>(size) == array.values.size());
    names.push_back(array.name);
  }
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}

TEST_CASE("the same seed and number of threads give the same bits") {
  const LittleCorpus words;
  const Corpus corpus = words.view();
  for (const int threads : {1, 2}) {
    CAPTURE(threads);
    TrainingOptions options = mixed(Optimizer::adam);
    options.threads = threads;
    Trainer first = make_trainer(words, corpus, small_options(), options);
    Trainer second = make_trainer(words, corpus, small_options(), options);
    options.seed += 1;
    Trainer other = make_trainer(words, corpus, small_options(), options);
    bool differs = false;
    for (int step = 0; step < 10; ++step) {
      const StepResult expected = first.step();
      CHECK(same(second.step(), expected));
      differs = differs || !same(other.step(), expected);
    }
    CHECK(copy_of(second.state()) == copy_of(first.state()));
    CHECK(differs);
  }
}

TEST_CASE("a step whose perplexity is not finite changes nothing and is named") {
  const LittleCorpus words;
  const Corpus corpus = words.view();
  for (const auto& [optimizer, rate] :
       {std::pair(Optimizer::adam, 1e30F), std::pair(Optimizer::adagrad, 1e30F),
        std::pair(Optimizer::adam, 1e4F), std::pair(Optimizer::adagrad, 1e4F)}) {
    CAPTURE(optimizer == Optimizer::adam);
    CAPTURE(rate);
    TrainingOptions options = mixed(optimizer);
    options.learning_rate = rate;
    options.warmup_steps = 0;
    Trainer trainer = make_trainer(words, corpus, small_options(), options);
    std::optional<std::string> message;
    std::vector<AlignedVector<float>> before;
    TrainerCounters counters;
    for (int step = 0; step < 10 && !message; ++step) {
      before = copy_of(trainer.state());
      counters = trainer.counters();
      try {
        trainer.step();
      } catch (const NumericError& error) {
        message = error.what();
      }
    }
    REQUIRE(message);
    CAPTURE(*message);
    CHECK(message->find("training diverged: the ") == 0);
    CHECK(message->find("step " + std::to_string(counters.step + 1)) != std::string::npos);
    CHECK(trainer.counters().step == counters.step);
    const std::vector<AlignedVector<float>> after = copy_of(trainer.model().parameters);
    CHECK(std::equal(after.begin(), after.end(), before.begin()));
  }
}

}  // namespace
}  // namespace elmo
