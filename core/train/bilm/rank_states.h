// The states of lanes that ranks share among them.
#pragma once

#include "core/model/options.h"
#include "core/train/bilm/lane_state.h"
#include "core/train/bilm/lane_stream.h"
#include "core/train/communicator.h"

namespace elmo {

/// What the LSTMs of a rank remember of its lanes and, on rank 0, of all lanes where it has
/// gathered them. Not for two threads at once.
class RankStates {
 public:
  /// All zero. `communicator` has to outlive it.
  RankStates(Communicator& communicator, const ModelOptions& model, const LaneRange& lanes);

  const LaneRange& lanes() const { return lanes_; }
  LaneStates& own() { return own_; }

  /// Of all lanes: what gather() gathered, or room for what share() is to share.
  LaneStates& all();

  /// all() of rank 0 becomes what the ranks have of theirs. Every rank calls it.
  void gather();

  /// own() becomes what rank 0's all() has of its lanes. Every rank calls it.
  void share();

 private:
  bool is_alone() const { return communicator_.size() == 1; }

  Communicator& communicator_;
  ModelOptions model_;
  LaneRange lanes_;
  LaneStates own_;
  LaneStates all_;  // empty where nobody asked for it, or own_ is all
};

}  // namespace elmo
