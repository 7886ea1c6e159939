// What ranks tell each other beside gradients.
#pragma once

#include <span>
#include <type_traits>

#include "core/train/backpropagation.h"
#include "core/train/communicator.h"
#include "core/train/lane_stream.h"

namespace elmo {

/// The values become those of rank 0; all ranks have as many.
template <typename Value>
void broadcast(Communicator& communicator, std::span<Value> values) {
  static_assert(std::is_trivially_copyable_v<Value>);
  communicator.broadcast(std::as_writable_bytes(values));
}

/// The states of all lanes on rank 0, `all`, become what the ranks have of theirs, `own`. Other
/// ranks' `all` is not looked at.
void gather_states(Communicator& communicator, const LaneStates& own, LaneStates& all);

/// The states of a rank's lanes, `own`, become those of rank 0's `all`; other ranks have room
/// there.
void share_states(Communicator& communicator, const LaneRange& lanes, LaneStates& all,
                  LaneStates& own);

}  // namespace elmo
