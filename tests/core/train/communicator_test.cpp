#include "core/train/communicator.h"

#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "core/train/bilm/lane_state.h"
#include "tests/core/train/rank_threads.h"
#include "tests/fixtures/models.h"

namespace elmo {
namespace {

TEST_CASE("alone, a rank's sums are its own numbers") {
  LocalCommunicator local;
  CHECK(local.rank() == 0);
  CHECK(local.size() == 1);
  std::vector<float> numbers{1.0F, 2.0F};
  const std::array<std::span<float>, 1> arrays{numbers};
  local.sum(arrays);
  CHECK(numbers == std::vector<float>{1.0F, 2.0F});
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

TEST_CASE("states of lanes that are gathered and shared again are the same") {
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
      for (std::size_t layer = 0; layer < own[direction].size(); ++layer) {
        LaneState& state = own[direction][layer];
        for (std::size_t i = 0; i < state.output.size(); ++i) {
          const std::size_t width = state.output.size() / static_cast<std::size_t>(lanes.count);
          const std::size_t place = static_cast<std::size_t>(lanes.first) * width + i;
          state.output[i] = static_cast<float>(1000 * direction + 100 * layer + place);
        }
      }
    }
    const LaneStates before = own;
    states.gather();
    if (rank == 0) {
      const AlignedVector<float>& all = states.all()[1][0].output;
      for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == 1000.0F + static_cast<float>(i));
    }
    own = zero_lane_states(model, lanes.count);
    states.share();
    for (std::size_t direction = 0; direction < own.size(); ++direction) {
      for (std::size_t layer = 0; layer < own[direction].size(); ++layer) {
        CHECK(own[direction][layer].output == before[direction][layer].output);
        CHECK(own[direction][layer].cell == before[direction][layer].cell);
      }
    }
  });
}

}  // namespace
}  // namespace elmo
