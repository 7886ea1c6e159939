// Assignment of sentences to the lanes of a batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace elmo {

/// Maximum number of lanes of a batch. The fixed cost of a step, reading the weights, equals about
/// 17 lanes, so many lanes and few steps are best, as long as the sums of a block of units stay in
/// cache.
inline constexpr std::size_t kMaxLanes = 384;

/// Lanes are the rows of an LSTM step. Each lane reads whole sentences, one after another. At step
/// t the first lanes_at[t] lanes are active, never more than at step t − 1. Entries are ordered by
/// step, then by lane.
struct LaneSchedule {
  std::vector<std::int32_t> lanes_at;  ///< [T]

  /// [Σ lanes_at], activation row that the lane reads and writes.
  std::vector<std::uint32_t> rows;

  /// [Σ lanes_at], number of the start state if the lane begins a sentence, else kContinue.
  std::vector<std::int32_t> starts;

  /// [lanes], number of the lane's carried state.
  std::vector<std::int32_t> carried;

  static constexpr std::int32_t kContinue = -1;

  std::int32_t lanes() const { return lanes_at.empty() ? 0 : lanes_at.front(); }
};

/// Rows [begin, begin + size) of the batch, in token order, and the number of their start state.
struct SentenceRows {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;
  std::int32_t start = 0;
};

/// Assigns independent sentences to at most `max_lanes` lanes of nearly equal length: the longest
/// sentence first, each to the shortest lane. Deterministic. Skips sentences without rows.
std::vector<std::vector<SentenceRows>> pack_lanes(std::span<const SentenceRows> sentences,
                                                  std::size_t max_lanes);

/// Returns the steps of these lanes. `backward`: reads each sentence from its last row to its
/// first. `carry`: passes the state from sentence to sentence, so nothing restarts. carried[i] is
/// the index in `lanes` of lane i.
LaneSchedule schedule_lanes(const std::vector<std::vector<SentenceRows>>& lanes, bool backward,
                            bool carry);

}  // namespace elmo
