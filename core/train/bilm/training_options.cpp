#include "core/train/bilm/training_options.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/error.h"
#include "core/resources.h"

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

std::uint64_t steps_of_epochs(float epochs, std::uint64_t predictions, std::int64_t lanes,
                              std::int64_t unroll) {
  const auto step_predictions = static_cast<double>(lanes * unroll);
  const double steps =
      std::ceil(static_cast<double>(epochs) * static_cast<double>(predictions) / step_predictions);
  if (!(steps >= 1.0 && steps <= static_cast<double>(kMaxSteps))) {
    throw RequestError("the plan: " + std::to_string(epochs) + " times a text of " +
                       std::to_string(predictions) + " predictions; expected 1 to " +
                       std::to_string(kMaxSteps) + " steps in all");
  }
  return static_cast<std::uint64_t>(steps);
}

TrainingOptions planned(TrainingOptions options, const PlanRequest& request,
                        std::uint64_t predictions, bool softmax_first) {
  options.total_steps = request.steps > 0 ? request.steps
                                          : steps_of_epochs(request.epochs, predictions,
                                                            options.lanes, options.unroll);
  options.warmup_steps =
      request.warmup_steps.value_or(std::min<std::uint64_t>(options.total_steps / 20, 1000));
  const float rate = options.optimizer == Optimizer::adam ? request.adam_rate : 0.2F;
  options.learning_rate = request.learning_rate > 0 ? request.learning_rate : rate;
  if (softmax_first) {
    options.frozen_steps = request.softmax_steps.value_or(options.total_steps / 4);
  }
  options.threads = threads_or_available(options.threads);
  return options;
}

}  // namespace elmo
