#include "core/train/bilm/lane_state.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace elmo {

LaneStates zero_lane_states(const ModelOptions& model, std::int64_t lanes) {
  const auto outputs = static_cast<std::size_t>(lanes * model.lstm.projection_dim);
  const auto cells = static_cast<std::size_t>(lanes * model.lstm.dim);
  const LaneState zero{AlignedVector<float>(outputs, 0.0F), AlignedVector<float>(cells, 0.0F)};
  return LaneStates(2, std::vector<LaneState>(static_cast<std::size_t>(model.lstm.n_layers), zero));
}

RankStates::RankStates(Communicator& communicator, const ModelOptions& model,
                       const LaneRange& lanes)
    : communicator_(communicator),
      model_(model),
      lanes_(lanes),
      own_(zero_lane_states(model, lanes.count)) {}

LaneStates& RankStates::all() {
  if (is_alone()) return own_;
  if (all_.empty()) all_ = zero_lane_states(model_, lanes_.all);
  return all_;
}

void RankStates::gather() {
  if (is_alone()) return;
  for (std::size_t direction = 0; direction < own_.size(); ++direction) {
    for (std::size_t layer = 0; layer < own_[direction].size(); ++layer) {
      LaneState none;
      LaneState& to = communicator_.rank() == 0 ? all()[direction][layer] : none;
      communicator_.gather(own_[direction][layer].output, to.output);
      communicator_.gather(own_[direction][layer].cell, to.cell);
    }
  }
}

void RankStates::share() {
  if (is_alone()) return;
  const auto share = [&](AlignedVector<float>& from, AlignedVector<float>& to) {
    broadcast(communicator_, std::span<float>(from));
    const auto width = static_cast<std::int64_t>(from.size()) / lanes_.all;
    std::copy_n(from.begin() + lanes_.first * width, lanes_.count * width, to.begin());
  };
  for (std::size_t direction = 0; direction < own_.size(); ++direction) {
    for (std::size_t layer = 0; layer < own_[direction].size(); ++layer) {
      share(all()[direction][layer].output, own_[direction][layer].output);
      share(all()[direction][layer].cell, own_[direction][layer].cell);
    }
  }
  if (communicator_.rank() > 0) all_ = {};
}

}  // namespace elmo
