// Checks that a task model's gradient is the slope of its loss.
#pragma once

#include <doctest/doctest.h>

#include <vector>

#include "core/tasks/common/task_model.h"
#include "tests/core/nn/parameters.h"

namespace elmo {

/// Checks that the loss changes along the gradient as the gradient predicts, with the same dropout.
/// Moves the weights.
inline void check_slope(TaskModel& model, const std::vector<TaskExample>& batch) {
  Workers workers(1);
  for (Parameter* parameter : model.parameters()) parameter->clear_gradient();
  PassOptions pass;
  pass.training = true;
  pass.seed = 3;
  pass.step = 8;
  model.train(batch, pass, workers);
  std::vector<AlignedVector<float>> slope;
  double squares = 0.0;
  for (const Parameter* parameter : model.parameters()) {
    slope.push_back(whole_gradient(*parameter));
    for (const float value : slope.back()) squares += double{value} * double{value};
  }
  const auto moved = [&](double by) {
    const auto parameters = model.parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      for (std::size_t k = 0; k < slope[i].size(); ++k) {
        parameters[i]->values[k] += static_cast<float>(by) * slope[i][k];
      }
    }
    return model.train(batch, pass, workers);
  };
  constexpr double kStep = 1e-4;
  const double above = moved(kStep);
  const double below = moved(-2 * kStep);
  CHECK((above - below) / (2 * kStep) == doctest::Approx(squares).epsilon(0.005));
}

}  // namespace elmo
