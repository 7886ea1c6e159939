#include "core/train/bilm/lanes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/error.h"
#include "tests/core/train/rank_threads.h"
#include "tests/fixtures/models.h"

namespace elmo {
namespace {

using Types = std::vector<std::uint32_t>;

/// Sentence i has lengths[i] tokens. All tokens differ, and so do their rows.
class NumberedCorpus {
 public:
  explicit NumberedCorpus(const std::vector<std::uint64_t>& lengths) {
    for (const std::uint64_t length : lengths) {
      Types sentence;
      for (std::uint64_t i = 0; i < length; ++i) {
        types_.push_back("word" + std::to_string(types_.size()));
        sentence.push_back(static_cast<std::uint32_t>(kFirstType + types_.size() - 1));
      }
      tokens_.insert(tokens_.end(), sentence.begin(), sentence.end());
      ends_.push_back(tokens_.size());
      sentences_.push_back(sentence);
    }
    for (std::uint32_t type = 0; type < kFirstType + types_.size(); ++type) {
      targets_.push_back(row(type));
    }
    corpus_ = {tokens_, ends_, types_, targets_};
  }
  NumberedCorpus(const NumberedCorpus&) = delete;
  NumberedCorpus& operator=(const NumberedCorpus&) = delete;

  static std::int32_t row(std::uint32_t type) { return static_cast<std::int32_t>(1000 - type); }
  const Corpus& corpus() const { return corpus_; }
  const std::vector<Types>& sentences() const { return sentences_; }

 private:
  Types tokens_;
  std::vector<std::uint64_t> ends_;
  std::vector<std::string> types_;
  std::vector<std::int32_t> targets_;
  std::vector<Types> sentences_;
  Corpus corpus_;
};

struct LaneStep {
  std::uint32_t inputs[2];
  std::int32_t targets[2];
  bool reset;
  bool operator==(const LaneStep&) const = default;
};
using Lanes = std::vector<std::vector<LaneStep>>;

/// Returns the tokens that the lanes read in this many batches.
Lanes read(LaneStream& stream, int batches) {
  Lanes lanes;
  TrainingBatch batch;
  for (int i = 0; i < batches; ++i) {
    stream.next(batch);
    std::set<std::uint32_t> used;
    lanes.resize(static_cast<std::size_t>(batch.lanes));
    for (std::size_t place = 0; place < static_cast<std::size_t>(batch.steps * batch.lanes);
         ++place) {
      LaneStep step{};
      for (int direction = 0; direction < 2; ++direction) {
        step.inputs[direction] =
            batch.types.at(static_cast<std::size_t>(batch.inputs[direction].at(place)));
        step.targets[direction] = batch.targets[direction].at(place);
        used.insert(step.inputs[direction]);
      }
      step.reset = batch.resets.at(place) != 0;
      lanes[place % lanes.size()].push_back(step);
    }
    CHECK(batch.types == Types(used.begin(), used.end()));
  }
  return lanes;
}

/// Returns the steps of a sentence, written from their definition.
std::vector<LaneStep> steps_of(const Types& sentence, bool reset) {
  Types forward = sentence;
  forward.insert(forward.begin(), kBeginSentenceType);
  forward.push_back(kEndSentenceType);
  const Types backward(forward.rbegin(), forward.rend());
  std::vector<LaneStep> steps;
  for (std::size_t i = 0; i + 1 < forward.size(); ++i) {
    steps.push_back({{forward[i], backward[i]},
                     {NumberedCorpus::row(forward[i + 1]), NumberedCorpus::row(backward[i + 1])},
                     reset && i == 0});
  }
  return steps;
}

/// Returns the sentences that a shuffled lane read completely, in order. CHECKs all their steps.
std::vector<std::size_t> sentences_read(const std::vector<LaneStep>& lane,
                                        const NumberedCorpus& corpus) {
  std::vector<std::size_t> read;
  for (std::size_t place = 0; place + 1 < lane.size();) {
    const std::uint32_t first_row = static_cast<std::uint32_t>(1000 - lane[place].targets[0]);
    const auto found =
        std::find_if(corpus.sentences().begin(), corpus.sentences().end(),
                     [&](const Types& sentence) { return sentence.front() == first_row; });
    REQUIRE(found != corpus.sentences().end());
    const std::vector<LaneStep> expected = steps_of(*found, true);
    const std::size_t size = std::min(expected.size(), lane.size() - place);
    for (std::size_t i = 0; i < size; ++i) CHECK(lane[place + i] == expected[i]);
    place += size;
    if (size == expected.size()) {
      read.push_back(static_cast<std::size_t>(found - corpus.sentences().begin()));
    }
  }
  return read;
}

TEST_CASE(
    "batches of a range of lanes equal their part of all lanes, and name the others' targets") {
  const NumberedCorpus corpus({3, 1, 4, 1, 5, 9, 2, 6, 5, 3});
  LaneStream whole(corpus.corpus(), TrainingState::sentence, {0, 5, 5}, 4, 1);
  LaneStream part(corpus.corpus(), TrainingState::sentence, {1, 3, 5}, 4, 1);
  for (int i = 0; i < 10; ++i) {
    const Lanes all = read(whole, 1);
    const Lanes some = read(part, 1);
    CHECK(some == Lanes(all.begin() + 1, all.begin() + 4));
    CHECK(part.positions() == whole.positions());
  }
  TrainingBatch batch;
  whole.next(batch);
  CHECK(batch.elsewhere.empty());
  std::multiset<std::int32_t> expected;
  for (std::size_t place = 0; place < batch.targets[0].size(); ++place) {
    if (place % 5 > 0 && place % 5 < 4) continue;
    expected.insert({batch.targets[0][place], batch.targets[1][place]});
  }
  part.next(batch);
  CHECK(std::multiset<std::int32_t>(batch.elsewhere.begin(), batch.elsewhere.end()) == expected);
}

TEST_CASE("lanes that carry their state read their shares in order, repeatedly") {
  const NumberedCorpus corpus({3, 1, 4, 1, 5, 9, 2, 6, 5, 3});
  // Sentences [0, 3), [3, 6) and [6, 10).
  const std::vector<std::vector<std::size_t>> shares = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8, 9}};
  LaneStream stream(corpus.corpus(), TrainingState::carry, {0, 3, 3}, 4, 1);
  const Lanes lanes = read(stream, 20);
  for (std::size_t lane = 0; lane < shares.size(); ++lane) {
    CAPTURE(lane);
    std::vector<LaneStep> expected;
    while (expected.size() < 80) {
      for (const std::size_t index : shares[lane]) {
        for (const LaneStep& step : steps_of(corpus.sentences()[index], false)) {
          expected.push_back(step);
        }
      }
    }
    expected.resize(80);
    CHECK(lanes[lane] == expected);
  }
}

TEST_CASE("shuffled lanes read every sentence once per epoch, in another order each time") {
  std::vector<std::uint64_t> lengths;
  for (std::uint64_t i = 0; i < 50; ++i) lengths.push_back(1 + i * i % 7);
  const NumberedCorpus corpus(lengths);
  constexpr std::size_t kLanes = 4;
  LaneStream stream(corpus.corpus(), TrainingState::sentence, {0, kLanes, kLanes}, 5, 42);
  const Lanes lanes = read(stream, 60);

  constexpr std::size_t kEpochs = 3;
  std::vector<std::vector<std::size_t>> orders(kEpochs);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::vector<std::size_t> read = sentences_read(lanes[lane], corpus);
    const std::size_t share = (lane + 1) * 50 / kLanes - lane * 50 / kLanes;
    REQUIRE(read.size() >= kEpochs * share);
    for (std::size_t i = 0; i < kEpochs * share; ++i) orders[i / share].push_back(read[i]);
  }
  for (const std::vector<std::size_t>& order : orders) {
    CHECK(order.size() == 50);
    CHECK(std::set<std::size_t>(order.begin(), order.end()).size() == 50);
    CHECK_FALSE(std::is_sorted(order.begin(), order.end()));
  }
  CHECK(orders[0] != orders[1]);
  CHECK(orders[1] != orders[2]);
}

TEST_CASE("the seed decides the order of shuffled lanes") {
  const NumberedCorpus corpus(std::vector<std::uint64_t>(30, 2));
  const auto first = [&corpus](std::uint64_t seed) {
    LaneStream stream(corpus.corpus(), TrainingState::sentence, {0, 2, 2}, 9, seed);
    return read(stream, 3);
  };
  CHECK(first(1) == first(1));
  CHECK(first(1) != first(2));
}

TEST_CASE("the size of batches does not change what lanes read") {
  const NumberedCorpus corpus({2, 8, 1, 3, 5, 1, 4});
  LaneStream by_one(corpus.corpus(), TrainingState::sentence, {0, 2, 2}, 1, 5);
  LaneStream by_ten(corpus.corpus(), TrainingState::sentence, {0, 2, 2}, 10, 5);
  CHECK(read(by_one, 60) == read(by_ten, 6));
  CHECK(by_one.positions() == by_ten.positions());
}

TEST_CASE("a restored stream continues from its positions") {
  const NumberedCorpus corpus({2, 8, 1, 3, 5, 1, 4, 6, 2});
  for (const TrainingState state : {TrainingState::sentence, TrainingState::carry}) {
    LaneStream stream(corpus.corpus(), state, {0, 3, 3}, 4, 9);
    for (int batches = 0; batches < 25; ++batches) {
      LaneStream other(corpus.corpus(), state, {0, 3, 3}, 4, 9);
      other.restore(stream.positions());
      CHECK(other.positions() == stream.positions());
      CHECK(read(other, 1) == read(stream, 1));
    }
    CHECK(stream.positions()[0].epoch > 1);
  }
}

TEST_CASE("lanes share sentences if there are fewer sentences than lanes") {
  const NumberedCorpus corpus({2, 3});
  LaneStream stream(corpus.corpus(), TrainingState::carry, {0, 5, 5}, 3, 1);
  const Lanes lanes = read(stream, 4);
  const std::size_t sentence_of_lane[] = {0, 0, 0, 1, 1};
  for (std::size_t lane = 0; lane < 5; ++lane) {
    CAPTURE(lane);
    const std::vector<LaneStep> once = steps_of(corpus.sentences()[sentence_of_lane[lane]], false);
    for (std::size_t i = 0; i < 12; ++i) CHECK(lanes[lane][i] == once[i % once.size()]);
  }
}

TEST_CASE("a corpus of one token is read repeatedly") {
  const NumberedCorpus corpus({1});
  LaneStream stream(corpus.corpus(), TrainingState::sentence, {0, 1, 1}, 20, 3);
  const Lanes lanes = read(stream, 2);
  const std::vector<LaneStep> once = steps_of(corpus.sentences()[0], true);
  REQUIRE(once.size() == 2);
  for (std::size_t i = 0; i < 40; ++i) CHECK(lanes[0][i] == once[i % 2]);
  CHECK(stream.positions() == std::vector<LanePosition>{{20, 0, 0}});
}

TEST_CASE("positions that do not fit the corpus are refused and change nothing") {
  const NumberedCorpus corpus({2, 3, 4});
  LaneStream stream(corpus.corpus(), TrainingState::carry, {0, 2, 2}, 3, 1);  // [0, 1) and [1, 3)
  read(stream, 1);
  const std::vector<LanePosition> before = stream.positions();
  CHECK_THROWS_WITH_AS(stream.restore({{0, 0, 0}}), doctest::Contains("expected 2"), InputError);
  CHECK_THROWS_WITH_AS(stream.restore({{0, 1, 0}, {0, 0, 0}}),
                       doctest::Contains("lane 0 stands at sentence 1 of 1"), InputError);
  CHECK_THROWS_WITH_AS(stream.restore({{0, 0, 0}, {0, 1, 5}}),
                       doctest::Contains("lane 1 stands at step 5 of 5"), InputError);
  CHECK(stream.positions() == before);
  CHECK_NOTHROW(stream.restore({{7, 0, 2}, {3, 1, 4}}));
}

TEST_CASE("the ranks' lanes are all lanes, each once, in order") {
  for (const std::int64_t all : {1, 2, 5, 16, 128}) {
    for (int ranks = 1; ranks <= all; ++ranks) {
      std::int64_t next = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const LaneRange lanes = lanes_of_rank(all, rank, ranks);
        CHECK(lanes.first == next);
        CHECK(lanes.count >= all / ranks);
        CHECK(lanes.all == all);
        next += lanes.count;
      }
      CHECK(next == all);
    }
  }
}

TEST_CASE("gathering and sharing lane states restores them") {
  constexpr int kRanks = 3;
  constexpr std::int64_t kLanes = 8;
  const ModelOptions model = small_options();
  Meeting meeting(kRanks);
  run_ranks(kRanks, [&](int rank) {
    ThreadCommunicator communicator(meeting, rank);
    const LaneRange lanes = lanes_of_rank(kLanes, rank, kRanks);
    RankStates states(communicator, model, lanes);
    LaneStates& own = states.own();
    for (std::size_t direction = 0; direction < own.size(); ++direction) {
      for (std::size_t layer = 0; layer < own[direction].layers.size(); ++layer) {
        AlignedVector<float>& h = own[direction].layers[layer].h;
        for (std::size_t i = 0; i < h.size(); ++i) {
          const std::size_t width = h.size() / static_cast<std::size_t>(lanes.count);
          const std::size_t index = static_cast<std::size_t>(lanes.first) * width + i;
          h[i] = static_cast<float>(1000 * direction + 100 * layer + index);
        }
      }
    }
    const LaneStates before = own;
    states.gather();
    if (rank == 0) {
      const AlignedVector<float>& all = states.all()[1].layers[0].h;
      for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == 1000.0F + static_cast<float>(i));
    }
    own.fill(LstmState::zero(model.lstm, lanes.count));
    states.share();
    for (std::size_t direction = 0; direction < own.size(); ++direction) {
      for (std::size_t layer = 0; layer < own[direction].layers.size(); ++layer) {
        CHECK(own[direction].layers[layer].h == before[direction].layers[layer].h);
        CHECK(own[direction].layers[layer].c == before[direction].layers[layer].c);
      }
    }
  });
}

}  // namespace
}  // namespace elmo
