#include "tests/bench/program/training_cost.h"

#include "core/model/options.h"

namespace elmo {

namespace {

constexpr double kPasses = 3.0;  // one forward, two backward

}  // namespace

double training_flop_per_token(const ModelOptions& options, std::int64_t samples) {
  const double logits =
      2.0 * 2.0 * static_cast<double>(options.lstm.projection_dim) * static_cast<double>(samples);
  return kPasses * (lstm_flop_per_token(options) + logits);
}

double training_flop_per_distinct_token(const ModelOptions& options) {
  if (!options.char_cnn) return 0.0;
  const auto filters = static_cast<double>(options.char_cnn->filter_count());
  const auto projection = static_cast<double>(options.lstm.projection_dim);
  double products = static_cast<double>(options.char_cnn->n_highway) * 2.0 * filters * filters;
  if (options.char_cnn->filter_count() != options.lstm.projection_dim) {
    products += filters * projection;
  }
  return kPasses * 2.0 * products;
}

}  // namespace elmo
