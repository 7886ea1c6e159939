// How long and in what steps a task model is trained.
#pragma once

#include <cstdint>

namespace elmo {

struct TaskPlan {
  std::uint64_t batch = 16;        ///< examples
  std::uint64_t evaluations = 15;  ///< at most, on the development data
  /// Evaluations are an epoch apart, or so far that all of them together take this many steps; and
  /// no run ends earlier.
  std::uint64_t min_steps = 1000;
  std::uint64_t patience = 4;        ///< evaluations without a better score that end a run; 0: none
  std::uint64_t decay_patience = 2;  ///< evaluations without a better score that lower the rate
  float decay = 0.5F;                ///< what the rate is multiplied by then; 1: it stays
  float rate = 0.002F;               ///< of Adam
  float weight_decay = 0.0F;
  float average = 0.99F;  ///< decay of the weights' moving average, which is evaluated; 0: none
  float clip = 5.0F;      ///< of the gradient's norm; 0: none
  std::uint64_t seed = 0;
};

}  // namespace elmo
