#include "core/nn/alternating_lstm.h"

#include "core/kernels/dropout.h"

namespace elmo {

AlternatingLstm::AlternatingLstm(const std::string& name, const Options& options)
    : cells_(options.cells), dropout_(options.dropout), place_(options.place) {
  for (std::int64_t layer = 0; layer < options.layers; ++layer) {
    layers_.emplace_back(name + "_" + std::to_string(layer + 1), layer == 0 ? 0 : cells_, cells_,
                         layer % 2 == 1);
  }
  for (Share& share : shares_) {
    share.passes.resize(layers_.size());
    share.masks.resize(layers_.size());
  }
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

// A number of the mask is a function of the layer, the sequence's number and the cell.
void AlternatingLstm::draw_masks(Share& share, const PassOptions& options) const {
  const bool drops = options.training && dropout_ > 0.0F;
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    AlignedVector<float>& masks = share.masks[layer];
    masks.assign(drops ? share.sequences.size() * static_cast<std::size_t>(cells_) : 0, 1.0F);
    if (!drops) continue;
    const DropoutKey key{options.seed, options.step, place_ + static_cast<std::uint32_t>(layer)};
    float* mask = masks.data();
    for (const std::int64_t sequence : share.sequences) {
      dropout(key, dropout_, sequence * cells_, mask, cells_, mask);
      mask += cells_;
    }
  }
}

void AlternatingLstm::forward(const Matrix& sums, const Sequences& sequences,
                              const PassOptions& options, Workers& workers, Matrix& to) {
  // Dealt out by length, so that all have about as much to do.
  for (Share& share : shares_) share.sequences.clear();
  std::size_t next = 0;
  for (const std::int64_t sequence : longest_first(sequences)) {
    shares_[next++ % shares_.size()].sequences.push_back(sequence);
  }
  to.set_shape(sums.rows, cells_);
  workers.run(layers_.size(), [&](std::size_t layer) { layers_[layer].pack(); });
  workers.run(shares_.size(), [&](std::size_t index) {
    Share& share = shares_[index];
    if (share.sequences.empty()) return;
    share.orders[0].set(sequences, share.sequences, false);
    share.orders[1].set(sequences, share.sequences, true);
    draw_masks(share, options);
    for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
      const TimeOrder& order = share.orders[layers_[layer].reversed() ? 1 : 0];
      share.passes[layer].forward(layers_[layer], order, &sums, share.masks[layer], to);
    }
  });
}

void AlternatingLstm::backward(Matrix& gradient, Workers& workers, Matrix& sums_gradient) {
  sums_gradient.set_shape(gradient.rows, sums());
  workers.run(layers_.size(), [&](std::size_t layer) { layers_[layer].pack_transposed(); });
  workers.run(shares_.size(), [&](std::size_t index) {
    Share& share = shares_[index];
    if (share.sequences.empty()) return;
    for (std::size_t layer = layers_.size(); layer-- > 0;) {
      const TimeOrder& order = share.orders[layers_[layer].reversed() ? 1 : 0];
      share.passes[layer].backward(layers_[layer], order, share.masks[layer], gradient,
                                   &sums_gradient, share.gradients);
    }
  });
  const std::vector<Parameter*> all = parameters();
  workers.run(all.size(), [&](std::size_t index) {
    for (const Share& share : shares_) {
      if (!share.sequences.empty()) share.gradients.add_to(*all[index]);
    }
  });
}

}  // namespace elmo
