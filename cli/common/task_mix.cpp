#include "cli/common/task_mix.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cli/common/run_fingerprint.h"
#include "cli/common/run_settings.h"
#include "core/error.h"
#include "io/labeled/task_folder.h"
#include "io/shard/format.h"

namespace elmo {
namespace {

// Stored instead of a share of 0: its logarithm is finite, and it is too small to change a sum.
constexpr float kMinShare = 1e-30F;

}  // namespace

TaskMix read_task_mix(const TaskMixRequest& request) {
  const TaskDescription task = read_task_description(request.task);
  if (task.mixes.empty()) {
    throw InputError(request.task +
                     ": a task model without a mixture; expected one that takes the "
                     "layers of a biLM at its input or output");
  }
  if (request.place.empty() && task.mixes.size() > 1) {
    throw RequestError(request.task +
                       " has a mixture at its input and one at its output; choose one "
                       "with --place");
  }
  const auto found = request.place.empty()
                         ? task.mixes.begin()
                         : std::ranges::find(task.mixes, request.place, &LearnedMix::place);
  if (found == task.mixes.end()) {
    throw RequestError(request.task + " has no mixture at its " + request.place +
                       "; expected --place " + task.mixes.front().place);
  }
  TaskMix mix;
  mix.task = request.task;
  for (const float share : found->shares) {
    mix.weights.push_back(std::log(std::max(share, kMinShare)));
  }
  mix.gamma = found->gamma;
  mix.layer_norm = task.options.mix.layer_norm;
  mix.bilm = task.bilm;
  mix.bilm_words = bilm_words(task);
  return mix;
}

EmbedOptions with_mix(EmbedOptions options, const TaskMix& mix) {
  options.mix_weights = mix.weights;
  options.gamma = mix.gamma;
  options.layer_norm = mix.layer_norm;
  return options;
}

LayerMixing layer_mixing(LayerSelection layers, EmbedOptions options,
                         const TaskMixRequest& request) {
  if (!request.task.empty()) return read_task_mix(request);
  options.layers = layers;
  return options;
}

EmbedOptions mixing_of_run(const Manifest& run, const std::string& name,
                           const LayerMixing& mixing) {
  EmbedOptions options;
  if (const auto* task = std::get_if<TaskMix>(&mixing)) {
    check_bilm(*task, name, component(run.provenance, "model"));
    options.layers = LayerSelection::mix;
    options = with_mix(std::move(options), *task);
  } else {
    options = std::get<EmbedOptions>(mixing);
  }
  options.boundaries = component(run.provenance, shard_format::kBoundaries) == "kept";
  const auto layers = static_cast<std::size_t>(run.layout.row_count() / 2 + 1);
  if (!options.mix_weights.empty() && options.mix_weights.size() != layers) {
    throw RequestError("found " + std::to_string(options.mix_weights.size()) +
                       " weights; expected " + std::to_string(layers) + ", one for each layer of " +
                       name + ", the token layer included");
  }
  return options;
}

void check_bilm(const TaskMix& mix, const std::string& what, const std::string& model) {
  if (mix.bilm == model) return;
  throw InputError(what + ": activations of the model " + model + ", but the mixture of " +
                   mix.task + " is for those of " + mix.bilm_words + "; expected the same model");
}

}  // namespace elmo
