#include "cli/common/task_mix_options.h"

#include "cli/common/options.h"
#include "cli/common/task_mix.h"

namespace elmo {

Option add_task_mix_flags(Options app, const std::string& name, TaskMixRequest& request,
                          const std::string& group) {
  Option task = app->add_option(name, request.task,
                                "Task model whose layer weights, gamma and layer "
                                "normalization to use");
  task->type_name("DIR")->group(group);
  add_word(app, "--place", request.place, {"input", "output"},
           "Mix to use if the task model has two")
      ->default_str("the only one")
      ->group(group)
      ->needs(task);
  return task;
}

void add_mixing_flags(Options command, EmbedOptions& options, TaskMixRequest& request,
                      const std::string& group) {
  Option weights = add_numbers(command, "--mix-weights", options.mix_weights, "W0,...,WL",
                               "Layer weights before the softmax, token layer first");
  weights->default_str("equal")->group(group);
  add_task_mix_flags(command, "--mix", request, group)->excludes(weights);
  add_number(command, "--gamma", options.gamma, "G", NumberRange{}, "Factor gamma of the mix")
      ->group(group);
  command
      ->add_flag(
          "--layer-norm", options.layer_norm,
          "Normalize each layer over the sentence, without boundaries, before averaging or mixing")
      ->group(group);
}

void check_mixing_flags(const Options& command, std::optional<LayerSelection> layers,
                        const TaskMixRequest& request) {
  const bool mix = layers == LayerSelection::mix;
  const bool learned = !request.task.empty();
  only_with(command, "--mix-weights", mix, "--layers mix");
  only_with(command, "--mix", mix, "--layers mix");
  only_with(command, "--gamma", mix && !learned, "--layers mix, and without --mix");
  only_with(command, "--layer-norm", !learned, "a mixture that is not learned, without --mix");
  only_with(command, "--layer-norm", mix || layers == LayerSelection::average,
            "--layers average or mix");
}

}  // namespace elmo
