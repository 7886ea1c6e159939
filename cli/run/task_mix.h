// How layers are mixed, as a task model has learned.
#pragma once

#include <string>
#include <variant>
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
  std::string bilm;        ///< fingerprint of the biLM whose layers are mixed
  std::string bilm_words;  ///< see bilm_words(const TaskDescription&)
};

/// Reads the requested mixture. InputError as read_task_description, and where the task model takes
/// nothing of a biLM; RequestError where no place is named and there are two, or the named one has
/// no mixture.
TaskMix read_task_mix(const TaskMixRequest& request);

/// The options with that mixture.
EmbedOptions with_mix(EmbedOptions options, const TaskMix& mix);

/// How the layers of a published run become one row: as the options say, or as a task model has
/// learned.
using LayerMixing = std::variant<EmbedOptions, TaskMix>;

/// As a task model has learned where `request` names one, else these layers as `options` say.
/// Errors as read_task_mix.
LayerMixing layer_mixing(LayerSelection layers, EmbedOptions options,
                         const TaskMixRequest& request);

/// The same as options, with the boundaries of the run, whose name is `name`. Errors: as
/// check_bilm; RequestError for weights of another number than the run has layers.
EmbedOptions mixing_of_run(const Manifest& run, const std::string& name, const LayerMixing& mixing);

/// InputError, naming `what`, where its activations are of another model than the mixture is for.
void check_bilm(const TaskMix& mix, const std::string& what, const std::string& model);

}  // namespace elmo
