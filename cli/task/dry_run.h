// The estimated cost of training a task model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/task/data.h"
#include "io/model/model.h"

namespace elmo {

/// The sizes of the data and the model, and the cost of a run, estimated from a sample of the
/// examples.
struct DryTaskTraining {
  std::string kind;
  std::uint64_t examples = 0;  ///< to train on
  std::uint64_t tokens = 0;    ///< of their texts
  std::uint64_t dev_examples = 0;
  std::uint64_t labels = 0;      ///< with names
  std::uint64_t words = 0;       ///< with vectors
  std::uint64_t parameters = 0;  ///< trained numbers
  std::uint64_t steps_per_epoch = 0;
  std::uint64_t steps = 0;           ///< at most
  std::uint64_t models = 1;          ///< one per seed
  std::uint64_t features_bytes = 0;  ///< of the activations of all texts; 0: none
  double features_seconds = 0.0;     ///< to compute them
  double epoch_seconds = 0.0;        ///< without the evaluations on the development data
  double seconds = 0.0;              ///< of all models and activations, at most
  std::uint64_t memory_bytes = 0;
};

/// Reads the data, embeds a sample of the training examples and computes a few steps on them.
/// Leaves nothing on the disk. `bilm` is required if the options use its layers. Errors: as
/// train_tasks(), except that the request's folder is not checked.
DryTaskTraining measure_task_training(const TaskRequest& request, std::optional<LoadedModel> bilm);

}  // namespace elmo
