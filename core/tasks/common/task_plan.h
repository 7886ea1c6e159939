// Training schedule of a task model.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/enum_table.h"

namespace elmo {

/// Weights of the losses of examples with one label: equal, or such that the labels have the
/// distribution of the development data (weigh_labels()).
enum class LabelWeights { equal, dev };

inline constexpr auto kLabelWeights =
    enum_table<LabelWeights>({{"equal", LabelWeights::equal}, {"dev", LabelWeights::dev}});

struct TaskPlan {
  std::uint64_t batch = 16;         ///< examples per step
  std::uint64_t evaluations = 100;  ///< maximum number of evaluations on the development data
  std::uint64_t min_steps = 1000;   ///< minimum length of a run
  std::uint64_t patience = 4;       ///< evaluations without improvement that end a run; 0: no limit
  std::uint64_t decay_patience = 2;  ///< evaluations without improvement that lower the rate
  float decay = 0.5F;                ///< factor that lowers the rate; 1: constant rate
  float rate = 0.002F;               ///< learning rate of Adam
  float weight_decay = 0.0F;
  LabelWeights label_weights = LabelWeights::equal;
  float average = 0.99F;  ///< decay of the weights' moving average, which is evaluated; 0: none
  float clip = 5.0F;      ///< maximum norm of the gradient; 0: no clipping
  std::uint64_t seed = 0;
};

/// Steps between evaluations: an epoch, or more with little data, so that `min_steps` steps have at
/// most 16 evaluations, or plan.evaluations if that is fewer.
constexpr std::uint64_t steps_between_evaluations(const TaskPlan& plan,
                                                  std::uint64_t steps_per_epoch) {
  constexpr std::uint64_t kInMinSteps = 16;
  const std::uint64_t count = std::min(plan.evaluations, kInMinSteps);
  return std::max(steps_per_epoch, (plan.min_steps + count - 1) / count);
}

/// True if a run of `evaluations` evaluations, the last `since_best` of which did not improve the
/// score, was ended by plan.evaluations rather than plan.patience.
constexpr bool ended_early(const TaskPlan& plan, std::uint64_t evaluations,
                           std::uint64_t since_best) {
  return evaluations >= plan.evaluations && since_best < std::max<std::uint64_t>(plan.patience, 1);
}

}  // namespace elmo
