#include "cli/flags/task_mix.h"

#include <CLI/App.hpp>

#include "cli/flags/options.h"
#include "cli/run/task_mix.h"

namespace elmo {

CLI::Option* add_task_mix_flags(CLI::App* app, const std::string& name, TaskMixRequest& request,
                                const std::string& group) {
  CLI::Option* task = app->add_option(name, request.task,
                                      "Folder of a task model, whose learned weights, gamma and "
                                      "layer normalisation are taken");
  task->type_name("DIR")->group(group);
  add_word(app, "--place", request.place, {"input", "output"},
           "Which mixture of a task model that has two")
      ->default_str("the only one")
      ->group(group)
      ->needs(task);
  return task;
}

void add_mixing_flags(CLI::App* command, EmbedOptions& options, TaskMixRequest& request,
                      const std::string& group) {
  CLI::Option* weights =
      add_numbers(command, "--mix-weights", options.mix_weights, "W0,...,WL",
                  "Weight of each layer in a mix, before the softmax, the token layer first");
  weights->default_str("equal")->group(group);
  add_task_mix_flags(command, "--mix", request, group)->excludes(weights);
  add_number(command, "--gamma", options.gamma, "G", NumberRange{}, "Factor of the whole mix")
      ->group(group);
  command
      ->add_flag(
          "--layer-norm", options.layer_norm,
          "Normalise each layer over the sentence, boundaries left out, before it is averaged "
          "or mixed")
      ->group(group);
}

}  // namespace elmo
