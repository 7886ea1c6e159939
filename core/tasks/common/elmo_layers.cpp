#include "core/tasks/common/elmo_layers.h"

namespace elmo {

std::string elmo_name(ElmoPlace place) {
  return std::string("elmo_").append(kElmoPlaces.word(place));
}

std::vector<ElmoPlace> mix_places(const TaskOptions& options) {
  std::vector<ElmoPlace> places;
  if (options.concatenates()) return places;
  if (options.elmo_at_input()) places.push_back(ElmoPlace::input);
  if (options.elmo_at_output()) places.push_back(ElmoPlace::output);
  return places;
}

std::optional<std::vector<float>> fixed_shares(const TaskOptions& options) {
  const auto layers = static_cast<std::size_t>(options.bilm.layers);
  std::vector<float> shares(layers + 1, 0.0F);
  switch (options.mix.kind) {
    case MixKind::all:
    case MixKind::concat:
      return std::nullopt;
    case MixKind::top:
      shares[layers] = 1.0F;
      break;
    case MixKind::layer:
      shares[static_cast<std::size_t>(options.mix.layer)] = 1.0F;
      break;
    case MixKind::average:
      shares.assign(layers + 1, 1.0F / static_cast<float>(layers + 1));
      break;
  }
  return shares;
}

ElmoLayers::ElmoLayers(const TaskOptions& options, ElmoPlace place, std::uint32_t mask_id)
    : columns_(options.elmo_columns()),
      projection_(options.bilm.projection),
      layer_norm_(options.mix.layer_norm),
      dropout_(options.mix.dropout),
      mask_id_(mask_id) {
  if (options.concatenates()) return;
  mix_.emplace(elmo_name(place), ScalarMix::Options{.layers = options.bilm.layers,
                                                    .projection = projection_,
                                                    .fixed_shares = fixed_shares(options),
                                                    .lambda = options.mix.lambda,
                                                    .layer_norm = layer_norm_,
                                                    .dropout = dropout_,
                                                    .mask_id = mask_id_});
}

void ElmoLayers::forward(std::span<const TaskText> texts, const PassOptions& options, Matrix& to,
                         std::int64_t column) {
  if (mix_) {
    std::vector<std::span<const float>> activations;
    for (const TaskText& text : texts) activations.push_back(text.activations);
    return mix_->forward(activations, options, to, column);
  }
  std::int64_t row = 0;
  for (const TaskText& text : texts) {
    concatenate_layers(text.activations, projection_, layer_norm_,
                       to.view(row, text.tokens()).column_range(column, columns_));
    row += text.tokens();
  }
  drop_columns(options, dropout_, mask_id_, to, column, columns_);
}

double ElmoLayers::backward(Matrix& gradient, std::int64_t column, const PassOptions& options) {
  return mix_ ? mix_->backward(gradient, column, options) : 0.0;
}

}  // namespace elmo
