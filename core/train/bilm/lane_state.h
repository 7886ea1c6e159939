// Recurrent states of lanes in training, and the division of lanes among workers.
//
// Recurrent states of lanes that are divided among ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/model/options.h"
#include "core/tensor/aligned.h"
#include "core/train/bilm/lane_stream.h"
#include "core/train/communicator.h"

namespace elmo {

/// State of one LSTM layer for all lanes, kept from batch to batch.
struct LaneState {
  AlignedVector<float> output;  ///< h [B, P], before any skip connection
  AlignedVector<float> cell;    ///< c [B, D]
};

/// [direction][layer]; direction 0 is forward.
using LaneStates = std::vector<std::vector<LaneState>>;

/// Zero states for `lanes` lanes.
LaneStates zero_lane_states(const ModelOptions& model, std::int64_t lanes);

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
  /// All zero. `communicator` must outlive this object.
  RankStates(Communicator& communicator, const ModelOptions& model, const LaneRange& lanes);

  const LaneRange& lanes() const { return lanes_; }
  LaneStates& own() { return own_; }

  /// States of all lanes: as gathered by gather(), or to be filled before share().
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
  LaneStates all_;  // empty until needed, or if own_ holds all lanes
};

}  // namespace elmo
