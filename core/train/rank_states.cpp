#include "core/train/rank_states.h"

#include <algorithm>
#include <cstddef>

namespace elmo {

void gather_states(Communicator& communicator, const LaneStates& own, LaneStates& all) {
  for (std::size_t direction = 0; direction < own.size(); ++direction) {
    for (std::size_t layer = 0; layer < own[direction].size(); ++layer) {
      LaneState none;
      LaneState& to = communicator.rank() == 0 ? all[direction][layer] : none;
      communicator.gather(own[direction][layer].output, to.output);
      communicator.gather(own[direction][layer].cell, to.cell);
    }
  }
}

void share_states(Communicator& communicator, const LaneRange& lanes, LaneStates& all,
                  LaneStates& own) {
  const auto share = [&](AlignedVector<float>& from, AlignedVector<float>& to) {
    broadcast(communicator, std::span<float>(from));
    const auto width = static_cast<std::int64_t>(from.size()) / lanes.all;
    std::copy_n(from.begin() + lanes.first * width, lanes.count * width, to.begin());
  };
  for (std::size_t direction = 0; direction < own.size(); ++direction) {
    for (std::size_t layer = 0; layer < own[direction].size(); ++layer) {
      share(all[direction][layer].output, own[direction][layer].output);
      share(all[direction][layer].cell, own[direction][layer].cell);
    }
  }
}

}  // namespace elmo
