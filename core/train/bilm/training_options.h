// Options for training a biLM, and the plan of a run: number of steps and learning rate schedule.
#pragma once

#include <cstdint>
#include <optional>

#include "core/enum_table.h"
#include "core/kernels/precision.h"
#include "core/train/bilm/lanes.h"
#include "core/train/optimizer.h"

namespace elmo {

/// Schedule of the learning rate after the warm-up.
enum class Decay { cosine, linear, none };

inline constexpr auto kDecays = enum_table<Decay>(
    {{"cosine", Decay::cosine}, {"linear", Decay::linear}, {"none", Decay::none}});

/// Options of training a biLM: batches, steps, regularization and the learning rate.
struct TrainingOptions {
  TrainingState state = TrainingState::sentence;
  std::int64_t lanes = 128;     ///< B, batch size: sentences read in parallel
  std::int64_t unroll = 20;     ///< T, steps of truncated backpropagation through time
  std::int64_t samples = 8192;  ///< samples of the softmax; full softmax if V is not larger
  float dropout = 0.1F;         ///< on each layer's input and the last layer's output
  Optimizer optimizer = Optimizer::adam;
  float learning_rate = 1e-3F;       ///< maximum, after the warm-up
  float weight_decay = 0.0F;         ///< decoupled (AdamW)
  float initial_accumulator = 1.0F;  ///< Adagrad only
  std::uint64_t warmup_steps = 0;    ///< steps of linear growth of the learning rate
  Decay decay = Decay::cosine;
  std::uint64_t total_steps = 0;   ///< length of the plan, where the decay ends
  float gradient_clip = 10.0F;     ///< maximum of the global norm; 0: no clipping
  std::uint64_t frozen_steps = 0;  ///< number of initial steps that train only the softmax
  std::uint64_t seed = 0;
  int threads = 0;                           ///< total; 0: one per core
  Precision precision = Precision::float32;  ///< precision of products; parameters are float32
};

/// Learning rate of step t (0-based).
float learning_rate_at(const TrainingOptions& options, std::uint64_t step);

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
