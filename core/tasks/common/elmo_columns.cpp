#include "core/tasks/common/elmo_columns.h"

#include <optional>

#include "core/nn/dropout.h"

namespace elmo {

std::optional<std::vector<float>> fixed_shares(const TaskOptions& options) {
  const auto layers = static_cast<std::size_t>(options.bilm.layers);
  std::vector<float> shares(layers + 1, 0.0F);
  switch (options.mix.kind) {
    case MixKind::all:
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

namespace {

ScalarMix::Options mix_options(const TaskOptions& options) {
  ScalarMix::Options mix;
  mix.layers = options.bilm.layers;
  mix.projection = options.bilm.projection;
  mix.fixed_shares = fixed_shares(options);
  mix.lambda = options.mix.lambda;
  mix.layer_norm = options.mix.layer_norm;
  return mix;
}

}  // namespace

ElmoColumns::ElmoColumns(const std::string& name, const TaskOptions& options, std::uint32_t place)
    : mix_(name, mix_options(options)), dropout_(options.mix.dropout), place_(place) {}

void ElmoColumns::forward(std::span<const TaskText> texts, const PassOptions& options, Matrix& to,
                          std::int64_t column) {
  activations_.clear();
  for (const TaskText& text : texts) activations_.push_back(text.activations);
  mix_.forward(activations_, to, column);
  drop_columns(options, dropout_, place_, to, column, columns());
}

double ElmoColumns::backward(Matrix& gradient, std::int64_t column, const PassOptions& options) {
  drop_columns(options, dropout_, place_, gradient, column, columns());
  mix_.backward(gradient, column);
  return mix_.penalty();
}

}  // namespace elmo
