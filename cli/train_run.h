// The run of `elmo train` and `elmo finetune`.
//
//   DIR/corpus.tokens    the text, read and split once
//   DIR/checkpoints/     what --resume goes on from
//   DIR/progress.jsonl   losses and perplexities (io/train/metrics_log.h)
//   DIR/curves.svg       the same, drawn; with --plot
//   DIR/options.json …   the model as of the last validation (io/model/save.h)
#pragma once

#include <optional>
#include <string>

#include "cli/exit_codes.h"
#include "cli/flags/train.h"
#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/model/softmax_layer.h"

namespace elmo {

/// Names of a run's folder that others look for.
inline constexpr const char* kMetricsFile = "progress.jsonl";
inline constexpr const char* kCurvesFile = "curves.svg";

/// What a run begins with.
struct TrainingStart {
  ModelOptions model;
  Parameters parameters;
  std::optional<SoftmaxLayer> softmax;  ///< to go on with; none: a new one
  bool pretrained = false;  ///< the biLM was trained: a new softmax is trained alone first
  std::string name;         ///< tells starts apart
};

/// Trains until the plan ends or something stops it. Errors: as core and io throw them.
ExitCode run_training(const TrainFlags& flags, TrainingStart start);

}  // namespace elmo
