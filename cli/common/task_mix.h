// The mixture of layers that a task model has learned.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/inference/embed.h"
#include "io/shard/manifest.h"

namespace elmo {

/// Which of a task model's mixtures to use.
struct TaskMixRequest {
  std::string task;   ///< the task model's folder; empty: none
  std::string place;  ///< "input" or "output"; empty: the only one
};

/// A mixture in the form of LayerSelection::mix.
struct TaskMix {
  std::string task;            ///< the folder of the task model
  std::vector<float> weights;  ///< [L+1], before the softmax: the logarithms of the learned shares
  float gamma = 1;
  bool layer_norm = false;
  std::string bilm;        ///< fingerprint of the biLM whose layers are mixed
  std::string bilm_words;  ///< see bilm_words(const TaskDescription&)
};

/// Reads the requested mixture. Errors: InputError as read_task_description, and if the task model
/// uses no biLM; RequestError if `place` is empty and there are two mixtures, or if there is none
/// at `place`.
TaskMix read_task_mix(const TaskMixRequest& request);

/// Returns the options with the mixture.
EmbedOptions with_mix(EmbedOptions options, const TaskMix& mix);

/// How the layers of a published run are mixed into one row: by options, or by the mixture of a
/// task model.
using LayerMixing = std::variant<EmbedOptions, TaskMix>;

/// Returns the mixture of the task model that `request` names, otherwise `options` for `layers`.
/// Errors: as read_task_mix.
LayerMixing layer_mixing(LayerSelection layers, EmbedOptions options,
                         const TaskMixRequest& request);

/// Returns `mixing` as options for the run `name`, with its boundaries. Errors: as check_bilm;
/// RequestError if the number of weights differs from that of the run's layers.
EmbedOptions mixing_of_run(const Manifest& run, const std::string& name, const LayerMixing& mixing);

/// Throws InputError, naming `what`, if its activations are of another model than the mixture.
/// `model`: the fingerprint of their model.
void check_bilm(const TaskMix& mix, const std::string& what, const std::string& model);

}  // namespace elmo
