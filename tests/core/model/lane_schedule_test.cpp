#include "core/model/lane_schedule.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace elmo {
namespace {

// Sentences of random lengths in consecutive rows.
std::vector<SentenceRows> random_rows(std::size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<SentenceRows> sentences;
  std::uint32_t row = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto size = static_cast<std::uint32_t>(generator() % 9);
    sentences.push_back({row, size, static_cast<std::int32_t>(i)});
    row += size;
  }
  return sentences;
}

TEST_CASE("every sentence with rows is on one lane, and lanes have nearly equal lengths") {
  const std::vector<SentenceRows> sentences = random_rows(50, 1);
  for (const std::size_t most : {1U, 4U, 100U}) {
    CAPTURE(most);
    const auto lanes = pack_lanes(sentences, most);
    std::vector<std::uint32_t> begins;
    std::vector<std::uint32_t> lengths;
    for (const auto& lane : lanes) {
      CHECK(!lane.empty());
      std::uint32_t length = 0;
      for (const SentenceRows& sentence : lane) {
        CHECK(sentence.size > 0);
        begins.push_back(sentence.begin);
        length += sentence.size;
      }
      lengths.push_back(length);
    }
    CHECK(lanes.size() <= most);
    std::vector<std::uint32_t> expected;
    for (const SentenceRows& sentence : sentences) {
      if (sentence.size > 0) expected.push_back(sentence.begin);
    }
    std::sort(begins.begin(), begins.end());
    CHECK(begins == expected);
    // Lanes differ by at most the longest sentence.
    const auto [shortest, longest] = std::minmax_element(lengths.begin(), lengths.end());
    CHECK(*longest - *shortest <= 8);
  }
  CHECK(pack_lanes({}, 3).empty());
  CHECK(pack_lanes(std::vector<SentenceRows>{{0, 0}}, 3).empty());
}

// Follows a schedule step by step. Returns, for each lane, the rows in the order that it reads
// them, and its start states.
struct Walk {
  explicit Walk(const LaneSchedule& schedule) {
    rows.resize(static_cast<std::size_t>(schedule.lanes()));
    starts.resize(rows.size());
    std::size_t entry = 0;
    std::int32_t before = schedule.lanes();
    for (const std::int32_t alive : schedule.lanes_at) {
      CHECK(alive <= before);
      CHECK(alive > 0);
      before = alive;
      for (std::size_t lane = 0; lane < static_cast<std::size_t>(alive); ++lane, ++entry) {
        rows[lane].push_back(schedule.rows.at(entry));
        starts[lane].push_back(schedule.starts.at(entry));
      }
    }
    CHECK(entry == schedule.rows.size());
    CHECK(entry == schedule.starts.size());
  }
  std::vector<std::vector<std::uint32_t>> rows;
  std::vector<std::vector<std::int32_t>> starts;
};

TEST_CASE("a lane reads its sentences one after the other, forward or backward") {
  const auto lanes = pack_lanes(random_rows(40, 2), 5);
  for (const bool backward : {false, true}) {
    for (const bool carry : {false, true}) {
      CAPTURE(backward);
      CAPTURE(carry);
      const LaneSchedule schedule = schedule_lanes(lanes, backward, carry);
      const Walk walk(schedule);
      REQUIRE(walk.rows.size() == lanes.size());
      for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        std::vector<std::uint32_t> rows;
        std::vector<std::int32_t> starts;
        for (const SentenceRows& sentence :
             lanes[static_cast<std::size_t>(schedule.carried[lane])]) {
          for (std::uint32_t i = 0; i < sentence.size; ++i) {
            rows.push_back(sentence.begin + (backward ? sentence.size - 1 - i : i));
            starts.push_back(i == 0 && !carry ? sentence.start : LaneSchedule::kContinue);
          }
        }
        CHECK(walk.rows[lane] == rows);
        CHECK(walk.starts[lane] == starts);
      }
    }
  }
}

TEST_CASE("lanes without rows and sentences without rows take no steps") {
  const LaneSchedule nothing = schedule_lanes({}, false, false);
  CHECK(nothing.lanes() == 0);
  const std::vector<std::vector<SentenceRows>> lanes{{{0, 0, 0}}, {{0, 0, 0}, {0, 2, 7}}};
  const LaneSchedule schedule = schedule_lanes(lanes, false, false);
  CHECK(schedule.lanes() == 1);
  CHECK(schedule.rows == std::vector<std::uint32_t>{0, 1});
  CHECK(schedule.starts == std::vector<std::int32_t>{7, LaneSchedule::kContinue});
  CHECK(schedule.carried.front() == 1);
}

}  // namespace
}  // namespace elmo
