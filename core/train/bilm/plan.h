// Plan of a training run: the number of steps and the learning rate schedule.
#pragma once

#include <cstdint>
#include <optional>

#include "core/train/bilm/training_options.h"

namespace elmo {

/// Upper bound on the number of steps.
inline constexpr std::uint64_t kMaxSteps = std::uint64_t{1} << 48;

/// Requested values of a plan; values that are not given are filled in by planned().
struct PlanRequest {
  std::uint64_t steps = 0;     ///< 0: `epochs` decide
  float epochs = 10.0F;        ///< passes over the corpus
  float learning_rate = 0.0F;  ///< 0: the optimizer's default, `adam_rate` or, for Adagrad, 0.2
  float adam_rate = 1e-3F;
  std::optional<std::uint64_t> warmup_steps;   ///< unset: 5 % of the steps, at most 1000
  std::optional<std::uint64_t> softmax_steps;  ///< unset: a quarter of the steps
};

/// Number of steps of `lanes` · `unroll` predictions that `epochs` passes over `predictions` take,
/// rounded up. RequestError if it is 0 or exceeds kMaxSteps.
std::uint64_t steps_of_epochs(float epochs, std::uint64_t predictions, std::int64_t lanes,
                              std::int64_t unroll);

/// Returns `options` with the sizes of the plan, the learning rate and the number of threads filled
/// in. `predictions`: number per direction in one pass over the corpus. `softmax_first`: the first
/// steps train only the softmax, with a frozen biLM that was trained before. RequestError: see
/// steps_of_epochs.
TrainingOptions planned(TrainingOptions options, const PlanRequest& request,
                        std::uint64_t predictions, bool softmax_first);

}  // namespace elmo
