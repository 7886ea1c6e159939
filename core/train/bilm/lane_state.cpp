#include "core/train/bilm/lane_state.h"

namespace elmo {

LaneStates zero_lane_states(const ModelOptions& model, std::int64_t lanes) {
  const auto outputs = static_cast<std::size_t>(lanes * model.lstm.projection_dim);
  const auto cells = static_cast<std::size_t>(lanes * model.lstm.dim);
  const LaneState zero{AlignedVector<float>(outputs, 0.0F), AlignedVector<float>(cells, 0.0F)};
  return LaneStates(2, std::vector<LaneState>(static_cast<std::size_t>(model.lstm.n_layers), zero));
}

}  // namespace elmo
