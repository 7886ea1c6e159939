#include "core/model/lane_schedule.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

namespace elmo {

std::vector<std::vector<SentenceRows>> pack_lanes(std::span<const SentenceRows> sentences,
                                                  std::size_t max_lanes) {
  std::vector<SentenceRows> longest_first;
  for (const SentenceRows& sentence : sentences) {
    if (sentence.size > 0) longest_first.push_back(sentence);
  }
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [](const SentenceRows& a, const SentenceRows& b) { return a.size > b.size; });

  std::vector<std::vector<SentenceRows>> lanes(std::min(max_lanes, longest_first.size()));
  using Load = std::pair<std::uint64_t, std::size_t>;  // rows of the lane, lane
  std::priority_queue<Load, std::vector<Load>, std::greater<>> shortest;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) shortest.emplace(0, lane);
  for (const SentenceRows& sentence : longest_first) {
    const auto [load, lane] = shortest.top();
    shortest.pop();
    lanes[lane].push_back(sentence);
    shortest.emplace(load + sentence.size, lane);
  }
  return lanes;
}

LaneSchedule schedule_lanes(const std::vector<std::vector<SentenceRows>>& lanes, bool backward,
                            bool carry) {
  std::vector<std::uint64_t> lengths(lanes.size(), 0);
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    for (const SentenceRows& sentence : lanes[lane]) lengths[lane] += sentence.size;
  }
  std::vector<std::size_t> order(lanes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return lengths[a] > lengths[b]; });

  LaneSchedule schedule;
  for (const std::size_t lane : order) schedule.carried.push_back(static_cast<std::int32_t>(lane));

  // The current sentence of each lane and the position in it.
  std::vector<std::size_t> sentence(lanes.size(), 0);
  std::vector<std::uint32_t> position(lanes.size(), 0);
  std::size_t alive = order.size();
  for (std::uint64_t step = 0;; ++step) {
    while (alive > 0 && lengths[order[alive - 1]] <= step) --alive;
    if (alive == 0) break;
    schedule.lanes_at.push_back(static_cast<std::int32_t>(alive));
    for (std::size_t i = 0; i < alive; ++i) {
      const std::size_t lane = order[i];
      while (lanes[lane][sentence[lane]].size == 0) ++sentence[lane];
      const SentenceRows& current = lanes[lane][sentence[lane]];
      const std::uint32_t offset = backward ? current.size - 1 - position[lane] : position[lane];
      schedule.rows.push_back(current.begin + offset);
      schedule.starts.push_back(position[lane] == 0 && !carry ? current.start
                                                              : LaneSchedule::kContinue);
      if (++position[lane] == current.size) {
        position[lane] = 0;
        ++sentence[lane];
      }
    }
  }
  return schedule;
}

}  // namespace elmo
