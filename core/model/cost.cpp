#include "core/model/cost.h"

namespace elmo {

double lstm_flop_per_token(const ModelOptions& options) {
  const auto cells = static_cast<double>(options.lstm.dim);
  const auto projection = static_cast<double>(options.lstm.projection_dim);
  double products = 2.0 * projection * 4.0 * cells;
  if (options.lstm.has_projection()) products += cells * projection;
  return 2.0 * 2.0 * static_cast<double>(options.lstm.n_layers) * products;
}

double encoder_flop_per_token(const ModelOptions& options) {
  double products = 0.0;
  if (options.has_projection()) {
    products += static_cast<double>(options.token_width()) *
                static_cast<double>(options.lstm.projection_dim);
  }
  if (!options.char_cnn) return 2.0 * products;
  const CharCnnOptions& cnn = *options.char_cnn;
  const auto filters = static_cast<double>(cnn.filter_count());
  for (const auto& [width, count] : cnn.filters) {
    products += static_cast<double>(cnn.max_characters_per_token - width + 1) *
                static_cast<double>(width * cnn.embedding_dim) * static_cast<double>(count);
  }
  products += static_cast<double>(cnn.n_highway) * 2.0 * filters * filters;
  return 2.0 * products;
}

}  // namespace elmo
