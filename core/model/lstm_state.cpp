#include "core/model/lstm_state.h"

namespace elmo {

LstmState LstmState::zero(const LstmOptions& options, std::int64_t lanes) {
  LstmState state;
  state.lanes = lanes;
  state.layers.resize(static_cast<std::size_t>(options.n_layers));
  for (Layer& layer : state.layers) {
    layer.h.assign(static_cast<std::size_t>(lanes * options.projection_dim), 0.0F);
    layer.c.assign(static_cast<std::size_t>(lanes * options.dim), 0.0F);
  }
  return state;
}

LstmState LstmState::repeated(std::int64_t count) const {
  LstmState result;
  result.lanes = count;
  for (const Layer& layer : layers) {
    Layer& copies = result.layers.emplace_back();
    for (std::int64_t lane = 0; lane < count; ++lane) {
      copies.h.insert(copies.h.end(), layer.h.begin(), layer.h.end());
      copies.c.insert(copies.c.end(), layer.c.begin(), layer.c.end());
    }
  }
  return result;
}

LstmState LstmState::followed_by(const LstmState& others) const {
  LstmState result = *this;
  result.lanes += others.lanes;
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    const Layer& other = others.layers[layer];
    result.layers[layer].h.insert(result.layers[layer].h.end(), other.h.begin(), other.h.end());
    result.layers[layer].c.insert(result.layers[layer].c.end(), other.c.begin(), other.c.end());
  }
  return result;
}

}  // namespace elmo
