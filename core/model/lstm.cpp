#include "core/model/lstm.h"

#include <algorithm>

namespace elmo {

void LstmStack::run(const LaneSchedule& schedule, float* activations, const LstmState& start,
                    LstmState* carried, LstmWorkspace& workspace, RunMonitor& monitor) const {
  const std::int64_t projection = options_.projection_dim;
  const std::int64_t row_stride = (2 * options_.n_layers + 1) * projection;
  const float* from = activations;
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    float* to = activations + (1 + 2 * static_cast<std::int64_t>(layer) + direction_) * projection;
    layers_[layer].run(schedule, from, to, row_stride, start.layers[layer],
                       carried != nullptr ? &carried->layers[layer] : nullptr, workspace, monitor);
    from = to;
  }
}

void LstmStack::copy_outputs(float* activations, std::size_t from_row, std::size_t to_row) const {
  const auto width = static_cast<std::size_t>(options_.projection_dim);
  const std::size_t rows = 2 * static_cast<std::size_t>(options_.n_layers) + 1;
  for (auto row = 1 + static_cast<std::size_t>(direction_); row < rows; row += 2) {
    std::copy_n(activations + (from_row * rows + row) * width, width,
                activations + (to_row * rows + row) * width);
  }
}

std::size_t LstmStack::bytes() const {
  std::size_t sum = 0;
  for (const LstmLayer& layer : layers_) sum += layer.bytes();
  return sum;
}

std::size_t LstmStack::recurrent_bytes() const {
  std::size_t sum = 0;
  for (const LstmLayer& layer : layers_) sum += layer.recurrent_bytes();
  return sum;
}

}  // namespace elmo
