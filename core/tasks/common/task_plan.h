// How long and in what steps a task model is trained.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/enum_table.h"

namespace elmo {

/// What the losses of examples with one label count: all the same, or so that the labels have the
/// shares of the development data (weigh_labels()).
enum class LabelWeights { equal, dev };

inline constexpr auto kLabelWeights =
    enum_table<LabelWeights>({{"equal", LabelWeights::equal}, {"dev", LabelWeights::dev}});

struct TaskPlan {
  std::uint64_t batch = 16;          ///< examples
  std::uint64_t evaluations = 100;   ///< at most, on the development data
  std::uint64_t min_steps = 1000;    ///< no run ends earlier
  std::uint64_t patience = 4;        ///< evaluations without a better score that end a run; 0: none
  std::uint64_t decay_patience = 2;  ///< evaluations without a better score that lower the rate
  float decay = 0.5F;                ///< what the rate is multiplied by then; 1: it stays
  float rate = 0.002F;               ///< of Adam
  float weight_decay = 0.0F;
  LabelWeights label_weights = LabelWeights::equal;
  float average = 0.99F;  ///< decay of the weights' moving average, which is evaluated; 0: none
  float clip = 5.0F;      ///< of the gradient's norm; 0: none
  std::uint64_t seed = 0;
};

/// Steps between evaluations: an epoch, or with little data so many that `min_steps` take 16
/// evaluations, or all of them where they are fewer.
constexpr std::uint64_t steps_between_evaluations(const TaskPlan& plan,
                                                  std::uint64_t steps_per_epoch) {
  constexpr std::uint64_t kInMinSteps = 16;
  const std::uint64_t count = std::min(plan.evaluations, kInMinSteps);
  return std::max(steps_per_epoch, (plan.min_steps + count - 1) / count);
}

/// Whether a run of that many evaluations, of which the last `since_best` were no better than one
/// before, was ended by the plan's number of them before its patience did.
constexpr bool ended_early(const TaskPlan& plan, std::uint64_t evaluations,
                           std::uint64_t since_best) {
  return evaluations >= plan.evaluations && since_best < std::max<std::uint64_t>(plan.patience, 1);
}

}  // namespace elmo
