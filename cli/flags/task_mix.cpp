#include "cli/flags/task_mix.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <cmath>

#include "cli/flags/options.h"
#include "core/error.h"
#include "core/inference/embed.h"
#include "io/labelled/task/task_folder.h"

namespace elmo {
namespace {

// A share of 0 is one so small that it changes no sum; its logarithm is finite.
constexpr float kLeastShare = 1e-30F;

}  // namespace

CLI::Option* add_task_mix_flags(CLI::App* app, const std::string& name, TaskMixFlags& flags,
                                const std::string& group) {
  CLI::Option* task = app->add_option(name, flags.task,
                                      "Folder of a task model, whose learned weights, gamma and "
                                      "layer normalisation are taken");
  task->type_name("DIR")->group(group);
  add_word(app, "--place", flags.place, {"input", "output"},
           "Which mixture of a task model that has two")
      ->default_str("the only one")
      ->group(group)
      ->needs(task);
  return task;
}

void add_mixing_flags(CLI::App* command, EmbedOptions& options, TaskMixFlags& flags,
                      const std::string& group) {
  CLI::Option* weights =
      add_numbers(command, "--mix-weights", options.mix_weights, "W0,...,WL",
                  "Weight of each layer in a mix, before the softmax, the token layer first");
  weights->default_str("equal")->group(group);
  add_task_mix_flags(command, "--mix", flags, group)->excludes(weights);
  add_number(command, "--gamma", options.gamma, "G", NumberRange{}, "Factor of the whole mix")
      ->group(group);
  command
      ->add_flag(
          "--layer-norm", options.layer_norm,
          "Normalise each layer over the sentence, boundaries left out, before it is averaged "
          "or mixed")
      ->group(group);
}

TaskMix read_task_mix(const TaskMixFlags& flags) {
  const TaskDescription task = read_task_description(flags.task);
  if (task.mixes.empty()) {
    throw InputError(flags.task +
                     ": a task model without a mixture; expected one that takes the "
                     "layers of a biLM at its input or output");
  }
  if (flags.place.empty() && task.mixes.size() > 1) {
    throw RequestError(flags.task +
                       " has a mixture at its input and one at its output; choose one "
                       "with --place");
  }
  const auto found = flags.place.empty()
                         ? task.mixes.begin()
                         : std::ranges::find(task.mixes, flags.place, &LearnedMix::place);
  if (found == task.mixes.end()) {
    throw RequestError(flags.task + " has no mixture at its " + flags.place +
                       "; expected --place " + task.mixes.front().place);
  }
  TaskMix mix;
  for (const float share : found->shares) {
    mix.weights.push_back(std::log(std::max(share, kLeastShare)));
  }
  mix.gamma = found->gamma;
  mix.layer_norm = task.options.mix.layer_norm;
  mix.bilm = task.bilm;
  return mix;
}

void apply_mix(const TaskMix& mix, EmbedOptions& options) {
  options.mix_weights = mix.weights;
  options.gamma = mix.gamma;
  options.layer_norm = mix.layer_norm;
}

void check_bilm(const TaskMix& mix, const TaskMixFlags& flags, const std::string& what,
                const std::string& model) {
  if (mix.bilm == model) return;
  throw InputError(what + ": activations of the model " + model + ", but the mixture of " +
                   flags.task + " is for those of " + mix.bilm + "; expected the same model");
}

}  // namespace elmo
