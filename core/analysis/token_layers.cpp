#include "core/analysis/token_layers.h"

namespace elmo {

std::vector<TokenLayer> token_layers(const ActivationLayout& layout) {
  if (layout.row_count() == 1) return {{layout.rows.front(), 0, layout.width}};
  std::vector<TokenLayer> layers{{layout.rows.front(), 0, layout.width}};
  for (std::int64_t row = 1; row + 1 < layout.row_count(); row += 2) {
    layers.push_back({std::to_string((row + 1) / 2), row * layout.width, 2 * layout.width});
  }
  return layers;
}

}  // namespace elmo
