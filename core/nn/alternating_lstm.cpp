#include "core/nn/alternating_lstm.h"

#include "core/kernels/dropout.h"

namespace elmo {

AlternatingLstm::AlternatingLstm(const std::string& name, const Options& options)
    : cells_(options.cells), dropout_(options.dropout), place_(options.place) {
  for (std::int64_t layer = 0; layer < options.layers; ++layer) {
    layers_.emplace_back(name + "_" + std::to_string(layer + 1), layer == 0 ? 0 : cells_, cells_,
                         layer % 2 == 1);
  }
  masks_.resize(layers_.size());
}

std::vector<Parameter*> AlternatingLstm::parameters() {
  std::vector<Parameter*> all;
  for (HighwayLstm& layer : layers_) {
    for (Parameter* parameter : layer.parameters()) all.push_back(parameter);
  }
  return all;
}

void AlternatingLstm::initialize(std::uint64_t seed) {
  for (HighwayLstm& layer : layers_) layer.initialize(seed);
}

// Each mask value is a function of the layer, the sequence number and the cell.
void AlternatingLstm::draw_masks(std::span<const std::int64_t> sequences,
                                 const PassOptions& options) {
  const bool drops = options.training && dropout_ > 0.0F;
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    AlignedVector<float>& masks = masks_[layer];
    masks.assign(drops ? sequences.size() * static_cast<std::size_t>(cells_) : 0, 1.0F);
    if (!drops) continue;
    const DropoutKey key{options.seed, options.step, place_ + static_cast<std::uint32_t>(layer)};
    float* mask = masks.data();
    for (const std::int64_t sequence : sequences) {
      dropout(key, dropout_, sequence * cells_, mask, cells_, mask);
      mask += cells_;
    }
  }
}

void AlternatingLstm::forward(const Matrix& sums, const Sequences& sequences,
                              const PassOptions& options, Workers& workers, Matrix& to) {
  const std::vector<std::int64_t> longest = longest_first(sequences);
  orders_[0].set(sequences, longest, false);
  orders_[1].set(sequences, longest, true);
  draw_masks(longest, options);
  to.set_shape(sums.rows, cells_);
  workers.run(layers_.size(), [&](std::size_t layer) { layers_[layer].pack(); });
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    layers_[layer].forward(order_of(layer), &sums, masks_[layer], workers, to);
  }
}

void AlternatingLstm::backward(Matrix& gradient, Workers& workers, Matrix& sums_gradient) {
  sums_gradient.set_shape(gradient.rows, sums());
  workers.run(layers_.size(), [&](std::size_t layer) { layers_[layer].pack_transposed(); });
  for (std::size_t layer = layers_.size(); layer-- > 0;) {
    layers_[layer].backward(order_of(layer), masks_[layer], workers, gradient, &sums_gradient);
  }
}

}  // namespace elmo
