// The order in which a corpus is trained on: B lanes, T steps at a time (truncated backpropagation
// through time).
#pragma once

#include <cstdint>
#include <vector>

#include "core/enum_table.h"
#include "core/train/bilm/corpus.h"

namespace elmo {

/// Lanes that lie side by side among all that are trained.
struct LaneRange {
  std::int64_t first = 0;  ///< lane
  std::int64_t count = 0;
  std::int64_t all = 0;  ///< B, lanes that are trained
};

/// The lanes of one rank, [rank·B/ranks, (rank+1)·B/ranks) of all B.
LaneRange lanes_of_rank(std::int64_t all, int rank, int ranks);

/// The state that the LSTMs have at the first token of a sentence in training.
enum class TrainingState {
  sentence,  ///< zero; sentences come in a shuffled order
  carry      ///< what the sentence before in the same lane left; sentences come as they stand
};

inline constexpr auto kTrainingStates = enum_table<TrainingState>(
    {{"sentence", TrainingState::sentence}, {"carry", TrainingState::carry}});

/// T steps of b lanes, all of those that are trained or a range of them. Each lane reads sentence
/// after sentence, without padding: forward <S> w_1 … w_n with the targets w_1 … w_n </S>, backward
/// </S> w_n … w_1 with the targets w_n … w_1 <S>, so that both directions take n + 1 steps.
struct TrainingBatch {
  std::int64_t steps = 0;                     ///< T
  std::int64_t lanes = 0;                     ///< b
  std::vector<std::uint32_t> types;           ///< the distinct inputs of both directions, ascending
  std::vector<std::int32_t> inputs[2];        ///< [T, b], places in `types`; 0 forward, 1 backward
  std::vector<std::int32_t> targets[2];       ///< [T, b], rows of the softmax
  std::vector<std::uint8_t> resets;           ///< [T, b], 1: the state before this step is zero
  std::vector<std::int32_t> elsewhere;        ///< the targets of all other lanes, in any order
  std::vector<std::uint32_t> read_elsewhere;  ///< the inputs of all other lanes, in any order
};

/// Where a lane is.
struct LanePosition {
  std::uint64_t epoch = 0;     ///< times the lane went through its share of the corpus
  std::uint64_t sentence = 0;  ///< index within the share
  std::uint64_t step = 0;      ///< steps of that sentence done
  bool operator==(const LanePosition&) const = default;
};

/// Where a training is, except its arrays.
struct TrainerCounters {
  std::uint64_t step = 0;
  std::uint64_t tokens = 0;  ///< trained on so far, in each direction
  std::vector<LanePosition> positions;
};

/// Lane l goes through its share of the corpus, sentences [l·N/B, (l+1)·N/B) of the order of the
/// epoch: shuffled again for each epoch by a permutation computed from the seed (state `sentence`),
/// or as they stand (`carry`). A batch is a function of corpus, options and positions. Not for two
/// threads at once.
class LaneStream {
 public:
  /// `corpus` has to outlive it and to have a sentence at least; where it has fewer than lanes,
  /// lanes share sentences. Batches are of `lanes`.
  LaneStream(const Corpus& corpus, TrainingState state, const LaneRange& lanes, std::int64_t steps,
             std::uint64_t seed);

  void next(TrainingBatch& batch);

  /// [B]: of all lanes, whichever the batches are of.
  const std::vector<LanePosition>& positions() const { return positions_; }
  /// Goes on from there. InputError where they do not fit the corpus.
  void restore(std::vector<LanePosition> positions);

 private:
  std::uint64_t sentence_at(std::int64_t lane, const LanePosition& position) const;
  std::uint64_t share_size(std::int64_t lane) const;

  const Corpus& corpus_;
  TrainingState state_;
  LaneRange lanes_;
  std::int64_t steps_;
  std::uint64_t seed_;
  std::vector<LanePosition> positions_;
};

}  // namespace elmo
