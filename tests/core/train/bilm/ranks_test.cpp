// Trainers of several ranks, simulated by threads.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/train/bilm/trainer.h"
#include "tests/core/train/little_training.h"
#include "tests/core/train/rank_threads.h"

namespace elmo {
namespace {

/// The whole state of a run at some step.
struct Saved {
  std::vector<AlignedVector<float>> arrays;
  TrainerCounters counters;
};

struct Trained {
  std::vector<StepResult> results;
  Saved saved;
};

TrainingOptions with_lanes(std::int64_t lanes, TrainingState state, Optimizer optimizer) {
  TrainingOptions options = mixed(optimizer);
  options.state = state;
  options.lanes = lanes;
  options.threads = 1;
  return options;
}

/// Runs rank 0 from `from`, if given.
Trained lead(Trainer& trainer, int steps, const std::optional<Saved>& from) {
  if (from) {
    const std::vector<StateArray> state = trainer.state();
    REQUIRE(state.size() == from->arrays.size());
    for (std::size_t i = 0; i < state.size(); ++i) {
      REQUIRE(state[i].values.size() == from->arrays[i].size());
      std::copy(from->arrays[i].begin(), from->arrays[i].end(), state[i].values.begin());
    }
    trainer.restore(from->counters);
  }
  Trained trained;
  for (int step = 0; step < steps; ++step) trained.results.push_back(trainer.step());
  trained.saved = {copy_of(trainer.state()), trainer.counters()};
  return trained;
}

Trained train(int ranks, const TrainingOptions& options, int steps,
              const std::optional<Saved>& from = std::nullopt,
              ModelOptions model = small_options()) {
  const LittleCorpus words;
  Corpus corpus = words.view();
  if (!model.char_cnn) {
    corpus.rows = corpus.targets;
    model.n_tokens_vocab = words.vocabulary().size();
  }
  Meeting meeting(ranks);
  Trained trained;
  run_ranks(ranks, [&](int rank) {
    // The other ranks receive their training data from rank 0.
    TrainedBilm start = make_start(model, words, rank == 0 ? 1 : 77);
    std::unique_ptr<Communicator> communicator;
    if (ranks == 1) {
      communicator = std::make_unique<LocalCommunicator>();
    } else {
      communicator = std::make_unique<ThreadCommunicator>(meeting, rank);
    }
    Trainer trainer(std::move(start), options, corpus, std::move(communicator));
    if (rank == 0) {
      trained = lead(trainer, steps, from);
      trainer.dismiss(7);
    } else {
      const std::atomic<bool> stop = false;
      CHECK(trainer.follow(stop) == 7);
    }
  });
  return trained;
}

/// Returns the largest difference, for numbers of about 1.
double difference(const Saved& a, const Saved& b) {
  REQUIRE(a.arrays.size() == b.arrays.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < a.arrays.size(); ++i) {
    REQUIRE(a.arrays[i].size() == b.arrays[i].size());
    for (std::size_t k = 0; k < a.arrays[i].size(); ++k) {
      largest = std::max(largest, std::fabs(double{a.arrays[i][k]} - double{b.arrays[i][k]}));
    }
  }
  return largest;
}

// Adagrad then divides by no number near zero, so rounding errors stay small.
constexpr double kRankTolerance = 2e-5;

TEST_CASE("ranks that share the lanes train like a single one, within rounding") {
  for (const TrainingState state : {TrainingState::carry, TrainingState::sentence}) {
    CAPTURE(state == TrainingState::carry);
    const TrainingOptions options = with_lanes(7, state, Optimizer::adagrad);
    const Trained alone = train(1, options, 5);
    for (const int ranks : {2, 7}) {
      CAPTURE(ranks);
      const Trained shared = train(ranks, options, 5);
      REQUIRE(shared.results.size() == alone.results.size());
      for (std::size_t i = 0; i < alone.results.size(); ++i) {
        CHECK(shared.results[i].tokens == alone.results[i].tokens);
        for (const std::size_t side : {0U, 1U}) {
          CHECK(std::fabs(shared.results[i].loss[side] - alone.results[i].loss[side]) <
                kRankTolerance);
        }
        CHECK(std::fabs(shared.results[i].gradient_norm / alone.results[i].gradient_norm - 1.0) <
              kRankTolerance);
      }
      CHECK(difference(shared.saved, alone.saved) < kRankTolerance);
      CHECK(shared.saved.counters.positions == alone.saved.counters.positions);
      CHECK(shared.saved.counters.tokens == alone.saved.counters.tokens);
    }
  }
}

TEST_CASE("ranks of a word-level model change the rows that any of them reads") {
  TrainingOptions options = with_lanes(7, TrainingState::sentence, Optimizer::adagrad);
  options.frozen_steps = 1;
  const Trained alone = train(1, options, 5, std::nullopt, model_case("words"));
  for (const int ranks : {2, 7}) {
    CAPTURE(ranks);
    const Trained shared = train(ranks, options, 5, std::nullopt, model_case("words"));
    CHECK(difference(shared.saved, alone.saved) < kRankTolerance);
    CHECK(shared.saved.counters.tokens == alone.saved.counters.tokens);
  }
}

TEST_CASE("the same number of ranks gives the same bits, with one or more threads each") {
  TrainingOptions options = with_lanes(5, TrainingState::sentence, Optimizer::adam);
  options.frozen_steps = 2;
  for (const int threads : {1, 2, 4}) {
    CAPTURE(threads);
    options.threads = threads;
    const Trained first = train(2, options, 5);
    const Trained second = train(2, options, 5);
    CHECK(first.saved.arrays == second.saved.arrays);
    for (std::size_t i = 0; i < first.results.size(); ++i) {
      CHECK(same(first.results[i], second.results[i]));
    }
  }
}

TEST_CASE("the same number of ranks resumes bit for bit, and another number within rounding") {
  const TrainingOptions options = with_lanes(6, TrainingState::carry, Optimizer::adagrad);
  const Trained whole = train(2, options, 12);
  const Trained half = train(2, options, 6);
  CHECK(train(2, options, 6, half.saved).saved.arrays == whole.saved.arrays);
  for (const int ranks : {1, 3, 4}) {
    CAPTURE(ranks);
    const Trained rest = train(ranks, options, 6, half.saved);
    CHECK(rest.saved.counters.step == 12);
    CHECK(rest.saved.counters.positions == whole.saved.counters.positions);
    CHECK(difference(rest.saved, whole.saved) < kRankTolerance);
  }
}

TEST_CASE("rank 0 learns at the next step that another rank was asked to stop") {
  const LittleCorpus words;
  const Corpus corpus = words.view();
  const TrainingOptions options = with_lanes(4, TrainingState::carry, Optimizer::adam);
  Meeting meeting(3);
  std::atomic<bool> stop = false;
  run_ranks(3, [&](int rank) {
    Trainer trainer(make_start(small_options(), words, 1), options, corpus,
                    std::make_unique<ThreadCommunicator>(meeting, rank));
    if (rank > 0) {
      const std::atomic<bool> never = false;
      trainer.follow(rank == 2 ? stop : never);
      return;
    }
    CHECK_FALSE(trainer.step().stop);
    CHECK_FALSE(trainer.step().stop);
    stop = true;
    CHECK(trainer.step().stop);
    trainer.dismiss(0);
  });
}

TEST_CASE("a loss that is not finite is thrown on rank 0, and the other ranks wait for orders") {
  const LittleCorpus words;
  const Corpus corpus = words.view();
  TrainingOptions options = with_lanes(4, TrainingState::carry, Optimizer::adam);
  options.learning_rate = 1e30F;
  options.warmup_steps = 0;
  Meeting meeting(2);
  run_ranks(2, [&](int rank) {
    Trainer trainer(make_start(small_options(), words, 1), options, corpus,
                    std::make_unique<ThreadCommunicator>(meeting, rank));
    if (rank > 0) {
      const std::atomic<bool> stop = false;
      CHECK(trainer.follow(stop) == 1);
      return;
    }
    const auto steps = [&trainer] {
      for (int step = 0; step < 10; ++step) trainer.step();
    };
    CHECK_THROWS_AS(steps(), NumericError);
    trainer.dismiss(1);
  });
}

TEST_CASE("more ranks than lanes are refused") {
  const LittleCorpus words;
  const Corpus corpus = words.view();
  Meeting meeting(4);
  CHECK_THROWS_WITH_AS(Trainer(make_start(small_options(), words, 1),
                               with_lanes(3, TrainingState::carry, Optimizer::adam), corpus,
                               std::make_unique<ThreadCommunicator>(meeting, 0)),
                       "a batch of 3 for 4 ranks; expected a lane for each at least", RequestError);
}

}  // namespace
}  // namespace elmo
