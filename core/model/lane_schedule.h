// How sentences are laid onto the lanes of a batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace elmo {

/// Lanes of a batch, at most. A step takes about as long as 17 lanes more would (reading the
/// weights), so many lanes and few steps are best, as long as the sums of a block of units stay in
/// cache.
inline constexpr std::size_t kMaxLanes = 384;

/// Lanes are the rows of an LSTM step; each reads whole sentences, one after another. At step t the
/// first lanes_at[t] lanes are alive, never more than at step t − 1. Entries of one step stand
/// together, those of step t after those of step t − 1.
struct LaneSchedule {
  std::vector<std::int32_t> lanes_at;  ///< [T]

  /// [Σ lanes_at] Activation row that the lane reads and writes.
  std::vector<std::uint32_t> rows;

  /// [Σ lanes_at] Number of the start state where the lane begins a sentence, else kContinue.
  std::vector<std::int32_t> starts;

  /// [lanes] Number of the carried state that belongs to a lane.
  std::vector<std::int32_t> carried;

  static constexpr std::int32_t kContinue = -1;

  std::int32_t lanes() const { return lanes_at.empty() ? 0 : lanes_at.front(); }
};

/// Rows [begin, begin + size) of the batch, in the order of the tokens, and the number of the state
/// that they are read from.
struct SentenceRows {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;
  std::int32_t start = 0;
};

/// Lays sentences that do not depend on each other onto at most `max_lanes` lanes of nearly equal
/// length: longest sentence first, to the shortest lane. Depends on nothing but its arguments.
/// Sentences without rows take no part.
std::vector<std::vector<SentenceRows>> pack_lanes(std::span<const SentenceRows> sentences,
                                                  std::size_t max_lanes);

/// The steps of such lanes. `backward`: each sentence is read from its last row to its first.
/// `carry`: the state passes from sentence to sentence, so that nothing restarts, and
/// carried[i] says which of `lanes` became lane i.
LaneSchedule schedule_lanes(const std::vector<std::vector<SentenceRows>>& lanes, bool backward,
                            bool carry);

}  // namespace elmo
