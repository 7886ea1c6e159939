#include "core/train/bilm/metrics.h"

namespace elmo {

void StepMeans::add(const StepResult& step) {
  ++steps;
  last_step = step.step;
  loss_forward += step.loss[0];
  loss_backward += step.loss[1];
  gradient_norm += step.gradient_norm;
  learning_rate = step.learning_rate;
}

TrainingRecord StepMeans::take(std::uint64_t run_tokens, double run_seconds) {
  const auto count = static_cast<double>(steps);
  const TrainingRecord record{last_step,
                              run_tokens,
                              loss_forward / count,
                              loss_backward / count,
                              learning_rate,
                              gradient_norm / count,
                              run_seconds};
  *this = {};
  return record;
}

}  // namespace elmo
