// How layers are mixed, as a task model has learned.
#pragma once

#include <string>
#include <vector>

#include "core/inference/embed.h"
#include "io/shard/manifest/manifest.h"

namespace elmo {

/// Which of a task model's mixtures to take.
struct TaskMixRequest {
  std::string task;   ///< the task model's folder; empty: none
  std::string place;  ///< "input" or "output"; empty: the only one
};

/// A mixture as LayerSelection::mix takes it.
struct TaskMix {
  std::string task;            ///< the folder that it comes from
  std::vector<float> weights;  ///< [L+1], before the softmax: the logarithms of the learned shares
  float gamma = 1;
  bool layer_norm = false;
  std::string bilm;  ///< fingerprint of the biLM whose layers are mixed
};

/// Reads the requested mixture. InputError as read_task_description, and where the task model takes
/// nothing of a biLM; RequestError where no place is named and there are two, or the named one has
/// no mixture.
TaskMix read_task_mix(const TaskMixRequest& request);

/// The options with that mixture.
EmbedOptions with_mix(EmbedOptions options, const TaskMix& mix);

/// How the layers of the published run `name` are mixed: as `options` say, or where a mixture is
/// requested, as a task model has learned. Errors: as read_task_mix and check_bilm.
EmbedOptions mixing_of_run(const Manifest& run, const std::string& name, EmbedOptions options,
                           const TaskMixRequest& request);

/// InputError, naming `what`, where its activations are of another model than the mixture is for.
void check_bilm(const TaskMix& mix, const std::string& what, const std::string& model);

}  // namespace elmo
