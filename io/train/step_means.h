// Means over a few steps of training.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/train/trainer.h"
#include "io/train/metrics_log.h"

namespace elmo {

/// Sums over the steps since the last record. As text they go through a checkpoint without losing a
/// bit, so that a run that was taken up logs the same means. One thread.
class StepMeans {
 public:
  void add(const StepResult& step);

  /// The record of the steps added since the last call; at least one was.
  TrainingRecord take(std::uint64_t tokens, double seconds);

  std::string text() const;
  /// What text() was made of. InputError where it was made by something else.
  static StepMeans parse(std::string_view text);

 private:
  std::uint64_t steps_ = 0;
  std::uint64_t last_step_ = 0;
  double loss_forward_ = 0.0;
  double loss_backward_ = 0.0;
  double gradient_norm_ = 0.0;
  float learning_rate_ = 0.0F;
};

}  // namespace elmo
