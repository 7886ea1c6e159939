// The estimated cost of a training run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/common/listener.h"
#include "cli/train/request.h"
#include "core/train/bilm/training_options.h"

namespace elmo {

/// The validations of a plan.
struct DryValidation {
  std::string text;          ///< as TrainingRun::valid
  std::uint64_t every = 0;   ///< steps
  std::uint64_t tokens = 0;  ///< of each but the last
};

/// A plan, and its cost estimated from a few steps.
struct DryTraining {
  TrainingOptions plan;
  std::vector<std::string> lines;  ///< the text and the plan, for people
  std::uint64_t tokens = 0;        ///< of the text, like the next two
  std::uint64_t sentences = 0;
  std::uint64_t distinct_tokens = 0;
  std::uint64_t vocabulary = 0;  ///< of the softmax
  std::uint64_t parameters = 0;  ///< of the biLM
  std::uint64_t softmax_parameters = 0;
  std::uint64_t step_tokens = 0;
  std::uint64_t memory_bytes = 0;
  double tokens_per_second = 0.0;
  std::optional<double> validation_seconds;  ///< of all validations; nothing: not counted
  double seconds = 0.0;                      ///< of the whole plan, validations included
};

/// Reads the text and computes a few steps. Leaves nothing on the disk. Errors: as in core and io.
DryTraining measure_training(const TrainingRequest& request, TrainingStart start,
                             const std::optional<DryValidation>& valid, RunListener& listener);

}  // namespace elmo
