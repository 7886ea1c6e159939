// Recurrent states of lanes that are divided among ranks.
#pragma once

#include "core/model/options.h"
#include "core/train/bilm/lane_state.h"
#include "core/train/bilm/lane_stream.h"
#include "core/train/communicator.h"

namespace elmo {

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
