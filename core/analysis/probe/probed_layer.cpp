#include "core/analysis/probe/probed_layer.h"

namespace elmo {

std::vector<ProbedLayer> probed_layers(const BilmShape& bilm) {
  const std::int64_t width = bilm.projection;
  std::vector<ProbedLayer> layers{{"x", 0, width}};
  for (std::int64_t j = 1; j <= bilm.layers; ++j) {
    const std::string number = std::to_string(j);
    const std::int64_t begin = (2 * j - 1) * width;
    layers.push_back({"forward_" + number, begin, width});
    layers.push_back({"backward_" + number, begin + width, width});
    layers.push_back({number, begin, 2 * width});
  }
  layers.push_back({"mix", 0, bilm.mix_columns(), true});
  return layers;
}

}  // namespace elmo
