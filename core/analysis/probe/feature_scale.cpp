#include "core/analysis/probe/feature_scale.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "core/analysis/probe/probed_layer.h"
#include "core/kernels/optimizer_kernels.h"

namespace elmo {

std::vector<float> layer_scales(std::span<const float> sample, const BilmShape& bilm) {
  const std::int64_t width = bilm.projection;
  std::vector<double> squares(static_cast<std::size_t>(bilm.rows()), 0.0);
  for (std::size_t at = 0; at < sample.size();) {
    for (double& sum : squares) {
      sum += squared_norm(sample.data() + at, width);
      at += static_cast<std::size_t>(width);
    }
  }
  const double tokens =
      static_cast<double>(sample.size()) / static_cast<double>(bilm.rows() * width);
  std::vector<float> scales;
  for (const ProbedLayer& layer : probed_layers(bilm)) {
    const std::int64_t rows = layer.mixed ? bilm.rows() : layer.columns / width;
    const auto first = squares.begin() + (layer.mixed ? 0 : layer.column / width);
    const double mean =
        std::accumulate(first, first + rows, 0.0) / (tokens * static_cast<double>(rows * width));
    scales.push_back(mean > 0.0 ? static_cast<float>(1.0 / std::sqrt(mean)) : 1.0F);
  }
  return scales;
}

}  // namespace elmo
