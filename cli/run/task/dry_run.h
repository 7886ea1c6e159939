// What the training of a task model would take.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/run/task/request.h"
#include "io/model/model.h"

namespace elmo {

/// The data and the model, and what a sample of the examples lets expect of a run.
struct DryTaskTraining {
  std::string kind;
  std::uint64_t examples = 0;  ///< to train on
  std::uint64_t tokens = 0;    ///< of their texts
  std::uint64_t dev_examples = 0;
  std::uint64_t labels = 0;      ///< that have names
  std::uint64_t words = 0;       ///< with vectors
  std::uint64_t parameters = 0;  ///< trained numbers
  std::uint64_t steps_per_epoch = 0;
  std::uint64_t steps = 0;           ///< at most
  std::uint64_t models = 1;          ///< one a seed
  std::uint64_t features_bytes = 0;  ///< of the activations of all texts; 0: none
  double features_seconds = 0.0;     ///< to compute them
  double epoch_seconds = 0.0;        ///< without the evaluations on the development data
  double seconds = 0.0;              ///< of all models and activations, at most
  std::uint64_t memory_bytes = 0;
};

/// Reads the data, embeds a sample of the training examples and computes a few steps on them.
/// Nothing is left on the disk. `bilm` is there where the options ask for its layers. Errors: as
/// train_tasks(), but nothing is looked for in the request's folder.
DryTaskTraining measure_task_training(const TaskRequest& request, std::optional<LoadedModel> bilm);

}  // namespace elmo
