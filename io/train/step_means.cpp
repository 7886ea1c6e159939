#include "io/train/step_means.h"

#include <nlohmann/json.hpp>

#include "core/error.h"

namespace elmo {

void StepMeans::add(const StepResult& step) {
  ++steps_;
  last_step_ = step.step;
  loss_forward_ += step.loss[0];
  loss_backward_ += step.loss[1];
  gradient_norm_ += step.gradient_norm;
  learning_rate_ = step.learning_rate;
}

TrainingRecord StepMeans::take(std::uint64_t tokens, double seconds) {
  const auto steps = static_cast<double>(steps_);
  const TrainingRecord record{last_step_,
                              tokens,
                              loss_forward_ / steps,
                              loss_backward_ / steps,
                              learning_rate_,
                              gradient_norm_ / steps,
                              seconds};
  *this = {};
  return record;
}

std::string StepMeans::text() const {
  return nlohmann::json{steps_,         last_step_,     loss_forward_,
                        loss_backward_, gradient_norm_, learning_rate_}
      .dump();
}

StepMeans StepMeans::parse(std::string_view text) {
  try {
    const auto values = nlohmann::json::parse(text);
    StepMeans means;
    values.at(0).get_to(means.steps_);
    values.at(1).get_to(means.last_step_);
    values.at(2).get_to(means.loss_forward_);
    values.at(3).get_to(means.loss_backward_);
    values.at(4).get_to(means.gradient_norm_);
    values.at(5).get_to(means.learning_rate_);
    return means;
  } catch (const nlohmann::json::exception& error) {
    throw InputError(std::string("the means of the last steps cannot be read: ") + error.what());
  }
}

}  // namespace elmo
