// The plan of a training run: how many steps, and how the learning rate goes over them.
#pragma once

#include <cstdint>
#include <optional>

#include "core/train/bilm/training_options.h"

namespace elmo {

/// More steps than any run takes.
inline constexpr std::uint64_t kMaxSteps = std::uint64_t{1} << 48;

/// What a plan is made from, as far as it is said.
struct PlanRequest {
  std::uint64_t steps = 0;     ///< 0: `epochs` decide
  float epochs = 10.0F;        ///< times the corpus is gone through
  float learning_rate = 0.0F;  ///< 0: the optimizer's default, `adam_rate` or, for Adagrad, 0.2
  float adam_rate = 1e-3F;
  std::optional<std::uint64_t> warmup_steps;   ///< none: a twentieth of the steps, at most 1000
  std::optional<std::uint64_t> softmax_steps;  ///< none: a quarter of the steps
};

/// The steps of `lanes` · `unroll` predictions that `epochs` times this many predictions take,
/// rounded up. RequestError where they are more than kMaxSteps, or none.
std::uint64_t steps_of_epochs(float epochs, std::uint64_t predictions, std::int64_t lanes,
                              std::int64_t unroll);

/// `options` with the sizes of the plan, the learning rate and the number of threads filled in.
/// `predictions`: of each direction, in the corpus. `softmax_first`: the first steps train the
/// softmax alone, under a biLM that was trained before. RequestError as steps_of_epochs.
TrainingOptions planned(TrainingOptions options, const PlanRequest& request,
                        std::uint64_t predictions, bool softmax_first);

}  // namespace elmo
