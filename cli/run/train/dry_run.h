// What a training run would take.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/run/listener.h"
#include "cli/run/train/request.h"
#include "core/train/bilm/training_options.h"

namespace elmo {

/// The validations of a plan.
struct DryValidation {
  std::string text;          ///< as TrainingRun::valid
  std::uint64_t every = 0;   ///< steps
  std::uint64_t tokens = 0;  ///< of each but the last
};

/// A plan, and what a few of its steps let expect of the whole.
struct DryTraining {
  TrainingOptions plan;
  std::vector<std::string> lines;  ///< the text and the plan, for people
  std::uint64_t tokens = 0;        ///< of the text, as are the next two
  std::uint64_t sentences = 0;
  std::uint64_t distinct_tokens = 0;
  std::uint64_t vocabulary = 0;  ///< of the softmax
  std::uint64_t parameters = 0;  ///< of the biLM
  std::uint64_t softmax_parameters = 0;
  std::uint64_t step_tokens = 0;
  std::uint64_t memory_bytes = 0;
  double tokens_per_second = 0.0;
  std::optional<double> validation_seconds;  ///< of all of them; none: not counted
  double seconds = 0.0;                      ///< of the whole plan, validations included
};

/// Reads the text and computes a few steps. Nothing is left on the disk. Errors: as core and io
/// throw them.
DryTraining measure_training(const TrainingRequest& request, TrainingStart start,
                             const std::optional<DryValidation>& valid, RunListener& listener);

}  // namespace elmo
