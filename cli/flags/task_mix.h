// How layers are mixed: by given weights, or as a task model has learned.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace elmo {

struct EmbedOptions;

/// Which of a task model's mixtures to take.
struct TaskMixFlags {
  std::string task;   ///< the task model's folder; empty: none
  std::string place;  ///< "input" or "output"; empty: the only one
};

/// Registers the option `name`, which it returns, and --place in that group; `flags` has to outlive
/// `app`'s parsing.
CLI::Option* add_task_mix_flags(CLI::App* app, const std::string& name, TaskMixFlags& flags,
                                const std::string& group);

/// Registers --mix-weights, --mix (with --place), --gamma and --layer-norm in that group; `options`
/// and `flags` have to outlive `command`'s parsing.
void add_mixing_flags(CLI::App* command, EmbedOptions& options, TaskMixFlags& flags,
                      const std::string& group);

/// A mixture as LayerSelection::mix takes it.
struct TaskMix {
  std::vector<float> weights;  ///< [L+1], before the softmax: the logarithms of the learned shares
  float gamma = 1;
  bool layer_norm = false;
  std::string bilm;  ///< fingerprint of the biLM whose layers are mixed
};

/// Reads the mixture of the folder that `flags` name. InputError as read_task_description, and
/// where the task model takes nothing of a biLM; RequestError where the place is not told and there
/// are two, or has no mixture.
TaskMix read_task_mix(const TaskMixFlags& flags);

/// Makes it that of the options.
void apply_mix(const TaskMix& mix, EmbedOptions& options);

/// InputError, naming `what`, where its activations are of another model than the mixture is for.
void check_bilm(const TaskMix& mix, const TaskMixFlags& flags, const std::string& what,
                const std::string& model);

}  // namespace elmo
