// The lanes of training: the order in which they read a corpus, T steps at a time (truncated
// backpropagation through time), their recurrent states, and their division among ranks and
// workers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/enum_table.h"
#include "core/model/lstm.h"
#include "core/model/options.h"
#include "core/train/communicator.h"

namespace elmo {

/// The types of a corpus are its distinct tokens, numbered from kFirstType. The two numbers before
/// are the sentence boundaries.
inline constexpr std::uint32_t kBeginSentenceType = 0;
inline constexpr std::uint32_t kEndSentenceType = 1;
inline constexpr std::uint32_t kFirstType = 2;

/// Views of sentences without their boundaries, none of them empty. The owner of the data decides
/// where it is stored: io maps it from a file. Immutable; any thread.
struct Corpus {
  std::span<const std::uint32_t> tokens;         ///< the type of each token
  std::span<const std::uint64_t> sentence_ends;  ///< offset after the last token of each sentence
  std::span<const std::string> types;            ///< types[i] spells type kFirstType + i
  /// The row of each type in the softmax, [types + kFirstType].
  std::span<const std::int32_t> targets;
  /// The row of each type in the table of a word-level model, [types + kFirstType]; empty for other
  /// models.
  std::span<const std::int32_t> rows = {};

  std::uint64_t sentence_count() const { return sentence_ends.size(); }
  std::span<const std::uint32_t> sentence(std::uint64_t index) const {
    const std::uint64_t begin = index == 0 ? 0 : sentence_ends[index - 1];
    return tokens.subspan(begin, sentence_ends[index] - begin);
  }
};

/// Adjacent lanes among all trained lanes.
struct LaneRange {
  std::int64_t first = 0;  ///< lane
  std::int64_t count = 0;
  std::int64_t all = 0;  ///< B, number of trained lanes
};

/// The lanes of one rank, [rank·B/ranks, (rank+1)·B/ranks) of all B.
LaneRange lanes_of_rank(std::int64_t all, int rank, int ranks);

/// State of the LSTMs at the first token of a sentence in training.
enum class TrainingState {
  sentence,  ///< zero; sentences are shuffled
  carry  ///< final state of the previous sentence in the same lane; sentences are in corpus order
};

inline constexpr auto kTrainingStates = enum_table<TrainingState>(
    {{"sentence", TrainingState::sentence}, {"carry", TrainingState::carry}});

/// T steps of b lanes: all trained lanes or a range of them. Each lane reads sentence after
/// sentence, without padding. Forward, it reads <S> w_1 … w_n with the targets w_1 … w_n </S>;
/// backward, </S> w_n … w_1 with the targets w_n … w_1 <S>. So both directions take n + 1 steps.
struct TrainingBatch {
  std::int64_t steps = 0;                ///< T
  std::int64_t lanes = 0;                ///< b
  std::vector<std::uint32_t> types;      ///< the distinct inputs of both directions, ascending
  std::vector<std::int32_t> inputs[2];   ///< [T, b], indices into `types`; 0 forward, 1 backward
  std::vector<std::int32_t> targets[2];  ///< [T, b], rows of the softmax
  std::vector<std::uint8_t> resets;      ///< [T, b], 1: the state before this step is zero
  std::vector<std::int32_t> elsewhere;   ///< the targets of all other lanes, in any order
  std::vector<std::uint32_t> read_elsewhere;  ///< the inputs of all other lanes, in any order
};

/// Position of a lane in the corpus.
struct LanePosition {
  std::uint64_t epoch = 0;     ///< passes of the lane over its share of the corpus
  std::uint64_t sentence = 0;  ///< index within the share
  std::uint64_t step = 0;      ///< steps of that sentence already done
  bool operator==(const LanePosition&) const = default;
};

/// Position of a training run: its state without the arrays.
struct TrainerCounters {
  std::uint64_t step = 0;
  std::uint64_t tokens = 0;  ///< tokens trained on so far, in each direction
  std::vector<LanePosition> positions;
};

/// Lane l reads its share of the corpus, sentences [l·N/B, (l+1)·N/B) in the order of the epoch.
/// With state `sentence`, a permutation computed from the seed shuffles the corpus anew for each
/// epoch; with `carry`, sentences keep the corpus order. A batch is a function of corpus, options
/// and positions. Not for two threads at once.
class LaneStream {
 public:
  /// `corpus` must outlive this object and have at least one sentence. If it has fewer sentences
  /// than lanes, lanes share sentences. Batches consist of `lanes`.
  LaneStream(const Corpus& corpus, TrainingState state, const LaneRange& lanes, std::int64_t steps,
             std::uint64_t seed);

  void next(TrainingBatch& batch);

  /// [B]: positions of all trained lanes, also of lanes outside the batches.
  const std::vector<LanePosition>& positions() const { return positions_; }
  /// Continues from `positions`. InputError if they do not fit the corpus.
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

/// State of the LSTMs of both directions for all lanes, kept from batch to batch; 0 forward, 1
/// backward. h is the output before any skip connection.
using LaneStates = std::array<LstmState, 2>;

/// Lanes of one direction that one worker computes together.
struct LaneShare {
  std::size_t direction = 0;  ///< 0 forward, 1 backward
  std::int64_t first = 0;     ///< lane of the batch
  LaneRange lanes;            ///< the same b lanes, counted among all trained lanes

  bool is_first() const { return direction == 0 && is_first_of_direction(); }
  bool is_first_of_direction() const { return first == 0; }
};

/// LSTM states of a rank's lanes and, on rank 0, of all lanes once they are gathered. Not for two
/// threads at once.
class RankStates {
 public:
  /// Makes all states zero. `communicator` must outlive this object.
  RankStates(Communicator& communicator, const ModelOptions& model, const LaneRange& lanes);

  const LaneRange& lanes() const { return lanes_; }
  LaneStates& own() { return own_; }

  /// States of all lanes, as gathered by gather() or to be filled before share().
  LaneStates& all();

  /// Copies every rank's own() to all() of rank 0. Every rank calls it.
  void gather();

  /// Copies this rank's lanes of rank 0's all() to own(). Every rank calls it.
  void share();

 private:
  bool is_alone() const { return communicator_.size() == 1; }

  Communicator& communicator_;
  ModelOptions model_;
  LaneRange lanes_;
  LaneStates own_;
  LaneStates all_;  // without layers until needed, and if own_ holds all lanes
};

}  // namespace elmo
