#include "core/train/bilm/training_options.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace elmo {

float learning_rate_at(const TrainingOptions& options, std::uint64_t step) {
  const auto peak = static_cast<double>(options.learning_rate);
  if (step < options.warmup_steps) {
    return static_cast<float>(peak * static_cast<double>(step + 1) /
                              static_cast<double>(options.warmup_steps));
  }
  if (options.decay == Decay::none || options.total_steps <= options.warmup_steps) {
    return options.learning_rate;
  }
  const double done =
      std::min(1.0, static_cast<double>(step - options.warmup_steps) /
                        static_cast<double>(options.total_steps - options.warmup_steps));
  const double share =
      options.decay == Decay::linear ? 1.0 - done : 0.5 * (1.0 + std::cos(std::numbers::pi * done));
  return static_cast<float>(peak * share);
}

}  // namespace elmo
